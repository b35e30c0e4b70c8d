/**
 * Triggers of the harness's own: what the processes promised, which results they kept, what they noted as sent, and every
 * move of a status, with the real time of each. The product's own account (`history`, say) is held against them.
 */
import type { Database } from "bun:sqlite";
import { machines } from "../../shared/status.ts";

const REAL_MS = "unixepoch('subsec') * 1000";
/** Columns of a job that hold what a finished step left behind. */
export const results = { selfie: "selfie_check", image: "sheet", sheet: "sheet_check" } as const;
/** Columns that say that a message reached Telegram: once one is filled, the message is not sent again. */
const sent = {
  notice: { table: "notices", key: "id", column: "sent_at" },
  link: { table: "packs", key: "job_id", column: "link_sent_at" },
  sticker: { table: "packs", key: "job_id", column: "sticker_sent_at" },
  card: { table: "leads", key: "number", column: "published_at" },
} as const;

export function watchDatabase(db: Database) {
  db.run(
    `CREATE TABLE chaos_promises (id INTEGER PRIMARY KEY, chat_id INTEGER, method TEXT, payload TEXT, asked INTEGER, once TEXT, at REAL)`,
  );
  db.run(`CREATE TRIGGER chaos_promise AFTER INSERT ON notices BEGIN
    INSERT INTO chaos_promises VALUES (new.id, new.chat_id, new.method, new.payload, new.asked, new.once, ${REAL_MS}); END`);
  // A question that still waits when its visit ends is sent as what it has become; it may have gone out before, unknown to us.
  db.run("CREATE TABLE chaos_reworded (id INTEGER, chat_id INTEGER, payload TEXT)");
  db.run(`CREATE TRIGGER chaos_reworded AFTER UPDATE OF payload ON notices WHEN old.asks IS NOT NULL AND new.asks IS NULL
    AND new.sent_at IS NULL BEGIN
    INSERT INTO chaos_reworded VALUES (old.id, old.chat_id, old.payload);
    UPDATE chaos_promises SET payload = new.payload WHERE id = new.id; END`);
  db.run("CREATE TABLE chaos_results (job_id INTEGER, step TEXT, value TEXT, at REAL)");
  for (const [step, column] of Object.entries(results))
    db.run(`CREATE TRIGGER chaos_${column} AFTER UPDATE OF ${column} ON jobs WHEN old.${column} IS NOT new.${column} BEGIN
      INSERT INTO chaos_results VALUES (new.id, '${step}', new.${column}, ${REAL_MS}); END`);
  db.run("CREATE TABLE chaos_sent (what TEXT, id INTEGER, value INTEGER, at REAL)");
  for (const [what, { table, key, column }] of Object.entries(sent))
    db.run(`CREATE TRIGGER chaos_sent_${what} AFTER UPDATE OF ${column} ON ${table}
      WHEN (old.${column} IS NULL) <> (new.${column} IS NULL) BEGIN
      INSERT INTO chaos_sent VALUES ('${what}', new.${key}, new.${column}, ${REAL_MS}); END`);
  db.run("CREATE TABLE chaos_bills (job_id INTEGER, provider TEXT, purpose TEXT, outcome TEXT, usd REAL, at REAL)");
  db.run(`CREATE TRIGGER chaos_bill AFTER INSERT ON ai_usage BEGIN
    INSERT INTO chaos_bills VALUES (new.job_id, new.provider, new.purpose, new.outcome, new.usd, ${REAL_MS}); END`);
  // Alerts that are told together later, with the job that each is about.
  db.run("CREATE TABLE chaos_counted (cause TEXT, job_id INTEGER)");
  db.run(`CREATE TRIGGER chaos_counted AFTER UPDATE OF untold ON alerts WHEN new.untold > old.untold BEGIN
    INSERT INTO chaos_counted VALUES (new.cause, json_extract(new.jobs, '$[#-1]')); END`);
  // Jobs that failed or were stopped: a selfie that is sent back is neither.
  db.run("CREATE TABLE chaos_failures (job_id INTEGER, user_id INTEGER, problem TEXT)");
  db.run(`CREATE TRIGGER chaos_failure AFTER UPDATE OF status ON jobs WHEN new.status <> old.status
    AND (new.status = 'failed' OR new.status = 'cancelled' AND new.problem = 'cancelled') BEGIN
    INSERT INTO chaos_failures VALUES (new.id, new.user_id, new.problem); END`);
  db.run("CREATE TABLE chaos_locks (scope TEXT)");
  db.run(`CREATE TRIGGER chaos_lock AFTER UPDATE OF locked_until ON lockouts WHEN new.locked_until > 0 AND new.wrong = 0 BEGIN
    INSERT INTO chaos_locks VALUES (new.scope); END`);
  db.run("CREATE TABLE chaos_moves (machine TEXT, subject TEXT, before TEXT, after TEXT, at REAL)");
  for (const { table, key } of machines) {
    const note = (row: "old" | "new", before: string, after: string) =>
      `BEGIN INSERT INTO chaos_moves VALUES ('${table}', CAST(${row}.${key} AS TEXT), ${before}, ${after}, ${REAL_MS}); END`;
    db.run(`CREATE TRIGGER chaos_begin_${table} AFTER INSERT ON ${table} ${note("new", "NULL", "new.status")}`);
    db.run(`CREATE TRIGGER chaos_move_${table} AFTER UPDATE OF status ON ${table} WHEN old.status <> new.status
      ${note("new", "old.status", "new.status")}`);
    db.run(`CREATE TRIGGER chaos_end_${table} AFTER DELETE ON ${table} ${note("old", "old.status", "NULL")}`);
  }
}
