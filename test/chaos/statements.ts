/** The product's writing statements: what its code holds, and which of them its processes were seen to run. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
/** Begins the line with which a process notes that it ran such a statement. */
export const STATEMENT_MARK = "= ";

/** A string of the code that begins as a statement which writes. */
const A_STATEMENT = /(["`])(\s*(?:INSERT|UPDATE|DELETE)\s(?:(?!\1)[^\\]|\\.)*)\1/g;
const FILLED_IN = /\$\{[^}]*\}/;

export const inOneLine = (sql: string) => sql.replaceAll(/\s+/g, " ").trim();

type Statement = { where: string; pattern: RegExp };

/** Every writing statement in the code, with its file and line. All SQL is in shared/. */
export function statements(): Statement[] {
  const files = readdirSync(join(ROOT, "shared"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("migrations"))
    .map((file) => join("shared", file));
  return files.flatMap((file) => {
    const code = readFileSync(join(ROOT, file), "utf8");
    return [...code.matchAll(A_STATEMENT)].map(({ index, 2: sql = "" }) => ({
      where: `${file}:${code.slice(0, index).split("\n").length}`,
      pattern: new RegExp(`^${inOneLine(sql).split(FILLED_IN).map(RegExp.escape).join(".*")}$`),
    }));
  });
}
