/** Statuses only along allowed moves, each in its history, and no visit, job or lead ever vanishes. */
import { machines } from "../../shared/status.ts";
import type { Booth } from "./booth.ts";

type Move = { subject: string; before: string | null; after: string | null };

/** What the rows really did (the harness's own triggers saw it), against what is allowed and what `history` tells. */
export function checkHistory(booth: Pick<Booth, "rows">): string[] {
  return machines.flatMap((machine) => {
    const moves = machine.moves as Record<string, readonly string[]>;
    const told = movesOf(booth, "history", machine.table);
    const done = movesOf(booth, "chaos_moves", machine.table);
    return [...new Set([...told.keys(), ...done.keys()])].flatMap((id) => {
      const wrong: string[] = [];
      const seen = done.get(id) ?? [];
      for (const { before, after } of seen) {
        if (after === null) wrong.push(`${machine.table} ${id} was deleted at ${before}`);
        else if (before !== null && !moves[before]?.includes(after))
          wrong.push(`${machine.table} ${id} went ${before} → ${after}, which is no allowed move`);
      }
      if (inWords(seen) !== inWords(told.get(id) ?? []))
        wrong.push(`${machine.table} ${id} went ${inWords(seen)}, its history says ${inWords(told.get(id) ?? [])}`);
      return wrong;
    });
  });
}

function movesOf(booth: Pick<Booth, "rows">, table: "history" | "chaos_moves", machine: string): Map<string, Move[]> {
  const rows: Move[] = booth.rows(
    `SELECT subject, before, after FROM ${table} WHERE machine = ? ORDER BY rowid`,
    machine,
  );
  return Map.groupBy(rows, ({ subject }) => subject);
}

const inWords = (moves: Move[]) => moves.map(({ before, after }) => `${before ?? "·"} → ${after ?? "·"}`).join(", ");
