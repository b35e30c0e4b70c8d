/** Tables for spreadsheets: RFC 4180, UTF-8 with a mark that Excel needs, and no cell that a spreadsheet would run. */

/** What a spreadsheet takes for a formula, also behind blanks. */
const formula = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
const BYTE_ORDER_MARK = "\ufeff";

/** One cell: quoted, and text that begins like a formula made harmless by an apostrophe. Numbers of ours stay numbers. */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = formula.test(value) || /^[\t\r\n]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

export function csv<Row>(
  columns: readonly [string, (row: Row) => string | number | null][],
  rows: Iterable<Row>,
): string {
  const lines = [columns.map(([name]) => csvCell(name)).join(",")];
  for (const row of rows) lines.push(columns.map(([, cell]) => csvCell(cell(row))).join(","));
  return `${BYTE_ORDER_MARK}${lines.join("\r\n")}\r\n`;
}
