/** Triggers of the harness's own: what the processes promised and which results they kept, with the real time of each. */
import type { Database } from "bun:sqlite";

const REAL_MS = "unixepoch('subsec') * 1000";
/** Columns of a job that hold what a finished step left behind. */
export const results = { selfie: "selfie_check", image: "sheet", sheet: "sheet_check" } as const;

export function watchDatabase(db: Database) {
  db.run(`CREATE TABLE chaos_promises (id INTEGER PRIMARY KEY, chat_id INTEGER, method TEXT, payload TEXT, at REAL)`);
  db.run(`CREATE TRIGGER chaos_promise AFTER INSERT ON notices BEGIN
    INSERT INTO chaos_promises VALUES (new.id, new.chat_id, new.method, new.payload, ${REAL_MS}); END`);
  db.run("CREATE TABLE chaos_results (job_id INTEGER, step TEXT, value TEXT, at REAL)");
  for (const [step, column] of Object.entries(results))
    db.run(`CREATE TRIGGER chaos_${column} AFTER UPDATE OF ${column} ON jobs WHEN old.${column} IS NOT new.${column} BEGIN
      INSERT INTO chaos_results VALUES (new.id, '${step}', new.${column}, ${REAL_MS}); END`);
}
