/**
 * What operators must know. Two kinds, one row each in `alerts`:
 * something happened (`alertOperators`): told at once; more of the same is counted and told together later;
 * something is so (`watchStates` in admin/states.ts): told once when it begins, and once when it is over.
 */
import type { Database } from "bun:sqlite";
import type { Config } from "./config.ts";
import { transact } from "./db.ts";
import { type Button, notify } from "./notices.ts";
import { getSetting, putSetting } from "./settings.ts";
import type { Lang } from "./status.ts";
import { escapeHtml } from "./texts/index.ts";
import { team } from "./texts/operators/index.ts";

/** More of the same is told together after this; alone it is told again after an hour. */
export const TOGETHER_AFTER_MS = 10 * 60_000;
const FORGET_AFTER_MS = 3_600_000;
const JOBS_NAMED = 10;
/** The language of what is kept, for whoever erases a name from it and knows no settings. */
const TOLD_IN = "alerts_lang";
const MAX_RETRY_BUTTONS = 3;

export type Alert = {
  /** Names the cause: the same one is told together. */
  cause: string;
  /** What happened, to whom, and what to do; plain text. */
  text: string;
  /** The pack that met it: gets a button for another try. */
  job?: number;
  now: number;
};

export type AlertRow = {
  cause: string;
  watched: number;
  text: string;
  jobs: string;
  untold: number;
  ending: string;
  told_at: number;
  last_at: number;
  over_at: number | null;
};
export type Chat = Pick<Config, "ADMIN_CHAT_ID" | "TEAM_LANG">;

const rowOf = (db: Database, cause: string) =>
  db.query("SELECT * FROM alerts WHERE cause = ?").get(cause) as AlertRow | null;

const retryButton = (job: number, lang: Lang): Button => ({
  text: `🔁 ${team(lang).alerts.retry(job)}`,
  callback_data: `op:retry:${job}`,
});

/** @returns whether it is told now rather than counted */
export function alertOperators(db: Database, config: Chat, { cause, text, job, now }: Alert): boolean {
  return transact(db, () => {
    const row = rowOf(db, cause);
    if (row && now - row.told_at < FORGET_AFTER_MS) {
      const jobs = [...(JSON.parse(row.jobs) as number[]), ...(job === undefined ? [] : [job])];
      db.query("UPDATE alerts SET untold = untold + 1, jobs = ?, text = ?, last_at = ? WHERE cause = ?").run(
        JSON.stringify(jobs.slice(-JOBS_NAMED)),
        text,
        now,
        cause,
      );
      return false;
    }
    putSetting(db, TOLD_IN, config.TEAM_LANG, now);
    begin(db, { cause, watched: 0, text, ending: "", now });
    say(db, config, { mark: "⚠️", text, jobs: job === undefined ? [] : [job], once: `alert:${cause}:${now}`, now });
    return true;
  });
}

type Beginning = { cause: string; watched: number; text: string; ending: string; now: number };

/** Keeps an alert as told just now. */
export function begin(db: Database, alert: Beginning) {
  db.query(
    `INSERT OR REPLACE INTO alerts (cause, watched, text, ending, told_at, last_at)
     VALUES ($cause, $watched, $text, $ending, $now, $now)`,
  ).run(alert);
}

type Saying = { mark: string; text: string; jobs?: readonly number[]; once?: string; now: number };

/** Writes a line of plain text to the operators' chat. */
export function say(db: Database, config: Chat, { mark, text, jobs = [], once, now }: Saying) {
  const buttons = jobs.slice(-MAX_RETRY_BUTTONS).map((job) => [retryButton(job, config.TEAM_LANG)]);
  notify(db, {
    chatId: config.ADMIN_CHAT_ID,
    text: `${mark} ${escapeHtml(withoutDirections(text))}`,
    ...(buttons.length > 0 ? { buttons } : {}),
    once,
    now,
  });
}

/** A guest's name may hold marks that turn the direction of all that follows it. */
export const withoutDirections = (text: string) => text.replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, "");

/** Tells what was counted since, says what is over, and forgets the rest. For a loop. @returns whether something was said */
export function tellTogether(db: Database, config: Chat, now: number): boolean {
  const causes = db.query("SELECT cause FROM alerts WHERE watched = 0").all() as Pick<AlertRow, "cause">[];
  let said = false;
  for (const { cause } of causes) {
    transact(db, () => {
      // Read under the lock: the other process counts here too.
      const row = db.query("SELECT * FROM alerts WHERE cause = ?").get(cause) as AlertRow | null;
      if (!row) return;
      if (isOver(db, row)) {
        drop(db, row.cause);
        say(db, config, { mark: "✅", text: over(row.cause, config.TEAM_LANG), now });
        said = true;
      } else if (row.untold > 0 && now - row.told_at >= TOGETHER_AFTER_MS) {
        const jobs = JSON.parse(row.jobs) as number[];
        const text = team(config.TEAM_LANG).alerts.together(row.untold, jobs, row.text);
        db.query("UPDATE alerts SET untold = 0, jobs = '[]', told_at = ? WHERE cause = ?").run(now, row.cause);
        say(db, config, { mark: "⚠️", text, jobs, now });
        said = true;
      } else if (row.untold === 0 && now - row.last_at >= FORGET_AFTER_MS) {
        drop(db, row.cause);
      }
    });
  }
  return said;
}

/** Takes a guest's name out of what is kept to be told together. Call it while the guest is still known. */
export function forgetInAlerts(db: Database, userId: number) {
  const lang = getSetting<Lang>(db, TOLD_IN) ?? "en";
  db.query(
    `UPDATE alerts SET text = replace(text, name, ?2)
     FROM (SELECT first_name AS name FROM users WHERE id = ?1 AND first_name <> '') WHERE instr(text, name) > 0`,
  ).run(userId, team(lang).booth.guest);
}

export const drop = (db: Database, cause: string) => db.query("DELETE FROM alerts WHERE cause = ?").run(cause);

/** Failures are over once a pack that was taken up after them came out; a broken artist, once it drew or looked again. */
function isOver(db: Database, { cause, last_at }: AlertRow): boolean {
  if (cause.startsWith("failed:")) {
    const good = db.query(
      `SELECT 1 FROM jobs j JOIN history h ON h.machine = 'jobs' AND h.subject = CAST(j.id AS TEXT)
       WHERE j.finished_at > ?1 AND j.status = 'done' AND h.after = 'running' AND h.at > ?1 LIMIT 1`,
    );
    return good.get(last_at) !== null;
  }
  if (!cause.startsWith("broken:")) return false;
  const provider = cause.slice("broken:".length);
  const good = "SELECT 1 FROM ai_usage WHERE at > ? AND provider = ? AND outcome = 'ok' LIMIT 1";
  return db.query(good).get(last_at, provider) !== null;
}

function over(cause: string, lang: Lang): string {
  const { answersAgain, packsAgain } = team(lang).alerts;
  return cause.startsWith("broken:") ? answersAgain(cause.slice("broken:".length)) : packsAgain;
}
