/** English for operators. */
import { audit } from "./en/audit.ts";
import { booth } from "./en/booth.ts";
import { chat } from "./en/chat.ts";
import { leadStatuses, refusals } from "./en/refusals.ts";
import type { TeamTexts } from "./types.ts";

export const en: TeamTexts = { booth, chat, refusals, audit, leadStatuses };
