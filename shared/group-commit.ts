/**
 * Many commits, one fsync. Work that arrives while another commit holds the event loop is done in the next transaction
 * together; each promise settles only after the commit that holds its work. A lone piece of work waits for nobody.
 */
import type { Database } from "bun:sqlite";
import { isBusy, isFull, transact } from "./db.ts";

/** Bounds how long one transaction keeps the write lock from the other process: a piece of work takes some 50 µs. */
const MAX_TOGETHER = 100;

type Piece = { work: () => unknown; done(value: unknown): void; failed(error: unknown): void };

/** A promise among the pieces would be committed before its work is done: it is refused, and the others go on. */
function doNow({ work }: Piece): unknown {
  const value = work();
  if (typeof (value as { then?: unknown } | null | undefined)?.then === "function")
    throw new TypeError("a group commit was given async work");
  return value;
}

export type GroupCommit = <T>(work: () => T extends PromiseLike<unknown> ? never : T) => Promise<T>;

export function groupCommit(db: Database): GroupCommit {
  const waiting: Piece[] = [];

  function flush() {
    const pieces = waiting.splice(0, MAX_TOGETHER);
    if (waiting.length > 0) setImmediate(flush);
    try {
      const values = transact(db, () => pieces.map(doNow));
      pieces.forEach((piece, i) => {
        piece.done(values[i]);
      });
    } catch (error) {
      // The database's own trouble is everybody's; any other fault is one piece's, and the others go on without it.
      const shared = pieces.length === 1 || isBusy(error) || isFull(error);
      for (const piece of pieces) {
        if (shared) piece.failed(error);
        else alone(piece);
      }
    }
  }

  function alone(piece: Piece) {
    try {
      piece.done(transact(db, () => doNow(piece)));
    } catch (error) {
      piece.failed(error);
    }
  }

  return <T>(work: () => T extends PromiseLike<unknown> ? never : T) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, done: (value) => resolve(value as T), failed: reject });
      if (waiting.length === 1) setImmediate(flush);
    });
}
