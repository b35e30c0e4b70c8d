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
  logIn: "Log in with the operators' user and password.",
  lockedOut: (minutes) =>
    `Too many wrong passwords came from this address. Wait ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
  noLead: (number) => `There is no lead ${number}.`,
  leadMoved: (number, status) => `Lead ${number} is ${leadStatuses[status]}: reopen it first, then set another status.`,
  leadChanged: (number, status, by) =>
    `Lead ${number} was changed meanwhile: it is ${leadStatuses[status]} now${by ? `, by ${by}` : ""}. Look at it again, then choose.`,
  budgetOfNothing:
    "A budget of nothing would mean no limit. To stop spending pause the booth; otherwise set more than 0.",
  moreThanNothing: "must be more than 0, or null for no limit today",
  badBudget: "This budget cannot be set.",
  dollars: (max) => `must be dollars, more than 0 and up to ${max}, or null for no limit today`,
};
