/** Try-outs: an operator wants to see an outfit on a photo before guests do. The api stores the wish, the bot draws it. */
import type { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { audit } from "./audit.ts";
import { transact } from "./db.ts";
import { sessionDir } from "./files.ts";
import { Refusal } from "./refusal.ts";

export type Tryout = {
  id: number;
  folder: string;
  template_id: string;
  prompt: string;
  colours: string;
  status: "waiting" | "drawing" | "done" | "failed";
  problem: string | null;
  /** Names of files, as they lie in `tryoutDir`. */
  sheet: string | null;
  stickers: string | null;
  actor: string;
  created_at: number;
  updated_at: number;
};

/** More than this at once is a mistake of somebody's finger. */
const MAX_OPEN = 3;
export const TRYOUT_PHOTO = "photo.jpg";

/** A folder for the files of a new one, beside the guests', so that the same time limit takes them. */
export const newTryoutFolder = () => `tryout-${randomBytes(9).toString("base64url")}`;
export const tryoutFile = (dataDir: string, { folder }: Pick<Tryout, "folder">, name: string) =>
  join(sessionDir(dataDir, folder), name);

export type Wish = Pick<Tryout, "folder" | "template_id" | "prompt" | "colours" | "actor"> & { now: number };

/** Stores a wish whose photo lies in its folder already. @throws AppError `conflict` when too many are open */
export function addTryout(db: Database, wish: Wish): Tryout {
  return transact(db, () => {
    const { open } = db.query("SELECT count(*) AS open FROM tryouts WHERE status IN ('waiting', 'drawing')").get() as {
      open: number;
    };
    if (open >= MAX_OPEN) throw new Refusal("conflict", (t) => t.tooManyTryouts(MAX_OPEN));
    const { template_id, prompt, actor, now } = wish;
    audit(db, { actor, action: "try-out", target: template_id, after: { prompt }, now });
    return db
      .query(
        `INSERT INTO tryouts (folder, template_id, prompt, colours, status, actor, created_at, updated_at)
         VALUES ($folder, $template_id, $prompt, $colours, 'waiting', $actor, $now, $now) RETURNING *`,
      )
      .get(wish) as Tryout;
  });
}

export const tryoutById = (db: Database, id: number) =>
  db.query("SELECT * FROM tryouts WHERE id = ?").get(id) as Tryout | null;

/** Is there one to draw? Cheap, and takes no lock. */
export const hasTryout = (db: Database) =>
  db.query("SELECT 1 FROM tryouts WHERE status = 'waiting' LIMIT 1").get() !== null;

export const takeTryout = (db: Database, now: number) =>
  db
    .query(
      `UPDATE tryouts SET status = 'drawing', updated_at = ? WHERE status = 'waiting'
         AND id = (SELECT min(id) FROM tryouts WHERE status = 'waiting') RETURNING *`,
    )
    .get(now) as Tryout | null;

export type TryoutEnd = { sheet?: string; stickers?: string[]; problem?: string };

export function endTryout(db: Database, id: number, { sheet, stickers, problem }: TryoutEnd, now: number) {
  db.query("UPDATE tryouts SET status = ?, problem = ?, sheet = ?, stickers = ?, updated_at = ? WHERE id = ?").run(
    problem && !sheet ? "failed" : "done",
    problem ?? null,
    sheet ?? null,
    stickers ? JSON.stringify(stickers) : null,
    now,
    id,
  );
}

/** Those that a bot left in the middle: nobody draws them any more. */
export const dropStrayTryouts = (db: Database, now: number) =>
  db
    .query("UPDATE tryouts SET status = 'failed', problem = 'restarted', updated_at = ? WHERE status = 'drawing'")
    .run(now).changes;
