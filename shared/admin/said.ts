/** What the operators' chat hears of a change, wherever it was made: the chat's own commands and the page say the same. HTML. */
import type { Database } from "bun:sqlite";
import type { Budget } from "../budget.ts";
import type { Config } from "../config.ts";
import { type Button, notify } from "../notices.ts";
import { countJobs } from "../queue.ts";
import { escapeHtml } from "../texts/index.ts";
import { team } from "../texts/operators/index.ts";
import { dollars } from "./words.ts";

export type Saying = { text: string; buttons?: Button[][] };
type Team = Pick<Config, "TEAM_LANG">;

/** What somebody typed, as a part of a line. */
const quoted = (text: string) => escapeHtml(text.replace(/\s+/g, " ").trim());

export const openButton = ({ TEAM_LANG }: Team): Button => ({
  text: `▶️ ${team(TEAM_LANG).chat.pause.open}`,
  callback_data: "op:resume",
});
export const pauseButton = ({ TEAM_LANG }: Team): Button => ({
  text: `⏸ ${team(TEAM_LANG).chat.pause.pause}`,
  callback_data: "op:pause",
});

/** @param by HTML */
export function pauseSaid(db: Database, config: Team, { reason, by }: { reason: string | null; by: string }): Saying {
  const { queued, running, delivering } = countJobs(db);
  const text = team(config.TEAM_LANG).chat.pause.paused(by, reason && quoted(reason), queued + running + delivering);
  return { text: `⏸ ${text}`, buttons: [[openButton(config)]] };
}

/** @param by HTML */
export const openSaid = ({ TEAM_LANG }: Team, by: string): Saying => ({
  text: `▶️ ${team(TEAM_LANG).chat.pause.opened(by)}`,
});

/**
 * Today's budget as it stands.
 * @param setBy who has just changed it, HTML
 */
export function budgetSaid(
  { limit, spent }: Pick<Budget, "limit" | "spent">,
  { DAILY_BUDGET_USD: usual, TEAM_LANG }: Pick<Config, "DAILY_BUDGET_USD" | "TEAM_LANG">,
  setBy: string | null,
): Saying {
  const texts = team(TEAM_LANG).chat.budget;
  const now = texts.now(dollars(spent, TEAM_LANG), limit > 0 ? dollars(limit, TEAM_LANG) : null);
  if (setBy === null) return { text: now };
  if (limit > 0) return { text: `💵 ${now}${texts.setBy(setBy)}${limit === usual ? texts.usualAgain : ""}` };
  const tomorrow = texts.untilTomorrow(usual > 0 ? dollars(usual, TEAM_LANG) : null);
  return { text: `💵 ${texts.noLimit} ${now}${texts.setBy(setBy)}${tomorrow}` };
}

/** What every day may cost was changed. @param by HTML */
export const usualBudgetSaid = (
  { DAILY_BUDGET_USD: usd, TEAM_LANG }: Pick<Config, "DAILY_BUDGET_USD" | "TEAM_LANG">,
  by: string,
): Saying => ({ text: `💵 ${team(TEAM_LANG).chat.budget.usually(usd > 0 ? dollars(usd, TEAM_LANG) : null, by)}` });

/** The page's user, as the chat reads who it was; HTML. */
export const userOnPage = ({ TEAM_LANG, ADMIN_USER }: Pick<Config, "TEAM_LANG" | "ADMIN_USER">) =>
  team(TEAM_LANG).chat.onPage(quoted(ADMIN_USER ?? "admin"));

/** Call it in the transaction of the change itself. */
export function tellChat(db: Database, { ADMIN_CHAT_ID }: Pick<Config, "ADMIN_CHAT_ID">, saying: Saying, now: number) {
  notify(db, { chatId: ADMIN_CHAT_ID, ...saying, now });
}
