/** English for operators. */
import { booth } from "./en/booth.ts";
import { leadStatuses, refusals } from "./en/refusals.ts";
import type { TeamTexts } from "./types.ts";

export const en: TeamTexts = { booth, refusals, leadStatuses };
