/** English for operators. */
import { audit } from "./en/audit.ts";
import { booth } from "./en/booth.ts";
import { chat } from "./en/chat.ts";
import { machine } from "./en/machine.ts";
import { network } from "./en/network.ts";
import { alerts, story } from "./en/pack.ts";
import { leadStatuses, refusals } from "./en/refusals.ts";
import type { TeamTexts } from "./types.ts";

export const en: TeamTexts = { booth, story, alerts, chat, machine, network, refusals, audit, leadStatuses };
