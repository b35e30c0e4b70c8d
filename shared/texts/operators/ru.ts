/** Russian for operators. */
import { audit } from "./ru/audit.ts";
import { booth } from "./ru/booth.ts";
import { chat } from "./ru/chat.ts";
import { machine } from "./ru/machine.ts";
import { network } from "./ru/network.ts";
import { alerts, story } from "./ru/pack.ts";
import { leadStatuses, refusals } from "./ru/refusals.ts";
import type { TeamTexts } from "./types.ts";

export const ru: TeamTexts = { booth, story, alerts, chat, machine, network, refusals, audit, leadStatuses };
