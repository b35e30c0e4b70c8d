/**
 * Every status machine of the product, as data, and the one way to move along them.
 *
 * A move is compare-and-set: it happens only from a status that the caller named, and leaves a row
 * in `history` in the same transaction. Losing a race is a return value, not an exception.
 */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { transact } from "./db.ts";

/** Languages the product speaks, the first being the default. */
export const langs = ["ru", "uz", "en"] as const;
export type Lang = (typeof langs)[number];

export type Machine<S extends string> = {
  table: "sessions" | "jobs" | "leads";
  key: "token" | "id" | "number";
  moves: Record<S, readonly S[]>;
};

export type SessionStatus =
  | "created"
  | "linked"
  | "consented"
  | "template_chosen"
  | "photo_taken"
  | "done"
  | "failed"
  | "expired"
  | "blocked";

export const sessionMachine: Machine<SessionStatus> = {
  table: "sessions",
  key: "token",
  moves: {
    created: ["linked", "expired", "blocked"],
    linked: ["consented", "expired", "blocked"],
    consented: ["template_chosen", "expired", "blocked"],
    template_chosen: ["photo_taken", "expired", "blocked"],
    // back to template_chosen: the selfie was refused and the guest may take another
    photo_taken: ["done", "failed", "template_chosen"],
    // an operator retries
    failed: ["photo_taken"],
    done: [],
    expired: [],
    blocked: [],
  },
};

/** Statuses from which a visit may still end by itself. */
export const openStatuses = ["created", "linked", "consented", "template_chosen"] as const satisfies SessionStatus[];
/** The same as a condition, word for word as the index `sessions_open` has it. */
export const IS_OPEN = `status IN (${openStatuses.map((status) => `'${status}'`).join(", ")})`;

export type JobStatus = "queued" | "running" | "delivering" | "done" | "failed" | "cancelled";

export const jobMachine: Machine<JobStatus> = {
  table: "jobs",
  key: "id",
  moves: {
    queued: ["running", "failed", "cancelled"],
    // back to queued: a pause, a crash
    running: ["delivering", "queued", "failed", "cancelled"],
    delivering: ["done", "failed", "cancelled"],
    // an operator retries
    failed: ["queued"],
    done: [],
    cancelled: [],
  },
};

export type LeadStatus = "new" | "in_progress" | "won" | "lost" | "spam";

export const leadMachine: Machine<LeadStatus> = {
  table: "leads",
  key: "number",
  moves: {
    // A card's buttons have a lead taken first; the operators' page may close a new one at once.
    new: ["in_progress", "won", "lost", "spam"],
    in_progress: ["won", "lost", "spam", "new"],
    won: ["new"],
    lost: ["new"],
    spam: ["new"],
  },
};

export const machines = [sessionMachine, jobMachine, leadMachine] as const;

export type Actor = string;

export type MoveOptions = {
  now: number;
  /** Who did it: `guest:<id>`, `kiosk`, `worker`, `operator:<id>`, `clock` … */
  actor: Actor;
  reason?: string;
  /** Columns to write in the same statement. */
  set?: Record<string, SQLQueryBindings>;
  /** Columns that must hold these values too, such as owner and attempt. */
  guard?: Record<string, SQLQueryBindings>;
};

/**
 * Moves one row from one of the statuses in `from` to `to`, if it stands there and the guard holds.
 * @returns whether it moved; false means that somebody else was first
 * @throws RangeError when the machine does not allow the move: a bug in the caller
 */
export function move<S extends string>(
  db: Database,
  m: Machine<S>,
  id: string | number,
  from: NoInfer<S> | readonly NoInfer<S>[],
  to: NoInfer<S>,
  options: MoveOptions,
): boolean {
  const sources = (typeof from === "string" ? [from] : from) as readonly S[];
  for (const source of sources) {
    if (!m.moves[source].includes(to)) throw new RangeError(`${m.table} never go from ${source} to ${to}`);
  }
  const set = { updated_at: options.now, ...options.set };
  const guard = options.guard ?? {};
  return transact(db, () => {
    const row = db.query(`SELECT status FROM ${m.table} WHERE ${m.key} = ?`).get(id) as { status: S } | null;
    if (!row || !sources.includes(row.status)) return false;
    const columns = Object.keys(set).map((c) => `${c} = ?`);
    const guards = Object.keys(guard).map((c) => ` AND ${c} IS ?`);
    const { changes } = db
      .query(
        `UPDATE ${m.table} SET status = ?, ${columns.join(", ")} WHERE ${m.key} = ? AND status = ?${guards.join("")}`,
      )
      .run(to, ...Object.values(set), id, row.status, ...Object.values(guard));
    if (changes === 0) return false;
    record(db, m.table, id, row.status, to, options);
    return true;
  });
}

/** The first line of a row's history: how it came to be. Call it in the transaction that inserts the row. */
export function begin<S extends string>(
  db: Database,
  m: Machine<S>,
  id: string | number,
  status: NoInfer<S>,
  by: MoveOptions,
) {
  record(db, m.table, id, null, status, by);
}

/** For the one statement that picks and moves at once (a claim): it must allow the move, and leaves the same history row. */
export function recordMove<S extends string>(
  db: Database,
  m: Machine<S>,
  id: string | number,
  from: NoInfer<S>,
  to: NoInfer<S>,
  by: MoveOptions,
) {
  if (!m.moves[from].includes(to)) throw new RangeError(`${m.table} never go from ${from} to ${to}`);
  record(db, m.table, id, from, to, by);
}

function record(
  db: Database,
  table: string,
  id: string | number,
  before: string | null,
  after: string,
  by: MoveOptions,
) {
  db.query("INSERT INTO history (machine, subject, before, after, actor, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)").run(
    table,
    String(id),
    before,
    after,
    by.actor,
    by.reason ?? null,
    by.now,
  );
}

export type HistoryRow = { before: string | null; after: string; actor: string; reason: string | null; at: number };

/** All moves of one row, oldest first. */
export function historyOf(db: Database, m: { table: string }, id: string | number): HistoryRow[] {
  return db
    .query("SELECT before, after, actor, reason, at FROM history WHERE machine = ? AND subject = ? ORDER BY id")
    .all(m.table, String(id)) as HistoryRow[];
}
