/** Uzbek for operators, in Latin script. */
import type { TeamTexts } from "./types.ts";
import { audit } from "./uz/audit.ts";
import { booth } from "./uz/booth.ts";
import { chat } from "./uz/chat.ts";
import { machine } from "./uz/machine.ts";
import { network } from "./uz/network.ts";
import { alerts, story } from "./uz/pack.ts";
import { leadStatuses, refusals } from "./uz/refusals.ts";

export const uz: TeamTexts = { booth, story, alerts, chat, machine, network, refusals, audit, leadStatuses };
