/**
 * Everything that operators read, on their page and in their chat. Plain text unless it says HTML; whoever quotes what a
 * person typed escapes it. One type for all languages, so that none lacks anything.
 */
import type { LeadStatus } from "../../status.ts";
import type { AuditTexts } from "./types/audit.ts";
import type { BoothTexts } from "./types/booth.ts";
import type { ChatTexts } from "./types/chat.ts";
import type { MachineTexts } from "./types/machine.ts";
import type { NetworkTexts } from "./types/network.ts";
import type { AlertTexts, StoryTexts } from "./types/pack.ts";
import type { RefusalTexts } from "./types/refusals.ts";

export type * from "./types/audit.ts";
export type * from "./types/booth.ts";
export type * from "./types/chat.ts";
export type * from "./types/machine.ts";
export type * from "./types/network.ts";
export type * from "./types/pack.ts";
export type * from "./types/refusals.ts";

export type TeamTexts = {
  booth: BoothTexts;
  story: StoryTexts;
  alerts: AlertTexts;
  chat: ChatTexts;
  machine: MachineTexts;
  network: NetworkTexts;
  refusals: RefusalTexts;
  audit: AuditTexts;
  leadStatuses: Record<LeadStatus, string>;
};
