/** English: why a change was not made. */
import type { LeadStatus } from "../../../status.ts";
import type { RefusalTexts } from "../types.ts";

export const leadStatuses: Record<LeadStatus, string> = {
  new: "new",
  in_progress: "in progress",
  won: "won",
  lost: "lost",
  spam: "spam",
};

export const refusals: RefusalTexts = {
  noLead: (number) => `There is no lead ${number}.`,
  leadMoved: (number, status) => `Lead ${number} is ${leadStatuses[status]}: reopen it first, then set another status.`,
  leadChanged: (number, status, by) =>
    `Lead ${number} was changed meanwhile: it is ${leadStatuses[status]} now${by ? `, by ${by}` : ""}. Look at it again, then choose.`,
};
