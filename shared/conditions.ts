/** What a list is asked for, as SQL: only conditions that are asked for, so that SQLite plans by an index for each. */
import type { SQLQueryBindings } from "bun:sqlite";

/**
 * Conditions with one `?` each; one whose value is undefined is left out.
 * @returns `WHERE …`, or nothing; and the values in their order
 */
export function conditions(asked: readonly [sql: string, value: SQLQueryBindings | undefined][]): {
  where: string;
  values: SQLQueryBindings[];
} {
  const given = asked.filter((each): each is [string, SQLQueryBindings] => each[1] !== undefined);
  return {
    where: given.length > 0 ? `WHERE ${given.map(([sql]) => sql).join(" AND ")}` : "",
    values: given.map(([, value]) => value),
  };
}
