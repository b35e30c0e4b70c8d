/** English for operators. */
import { booth } from "./en/booth.ts";
import type { TeamTexts } from "./types.ts";

export const en: TeamTexts = { booth };
