/** Who changed what: one row a change, with the value before and after. */
import type { Database } from "bun:sqlite";

export type Audit = { actor: string; action: string; target?: string; before?: unknown; after?: unknown; now: number };

/** Call it in the transaction of the change itself. */
export function audit(db: Database, entry: Audit) {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  db.query("INSERT INTO audit_log (at, actor, action, target, before, after) VALUES (?, ?, ?, ?, ?, ?)").run(
    entry.now,
    entry.actor,
    entry.action,
    entry.target ?? "",
    json(entry.before),
    json(entry.after),
  );
}
