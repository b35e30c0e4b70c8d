/** A group that became another one is followed, and one that let the bot in again is written to. */
import type { Booth } from "./booth.ts";
import { idsOf } from "./people.ts";

export function checkGroups(booth: Booth): string[] {
  const followed = { sales: "leads_chat", operators: "admin_chat" } as const;
  const lost = (["sales", "operators"] as const).filter((group) => {
    const [, now] = idsOf(booth, group);
    if (now === undefined) return false;
    const [row] = booth.rows("SELECT value FROM settings WHERE name = ?", followed[group]);
    return row === undefined || JSON.parse(row.value).id !== now;
  });
  const trouble = booth.rows("SELECT value FROM settings WHERE name = 'leads_trouble' AND value = '\"out\"'");
  const elsewhere = booth.rows(
    `SELECT id, chat_id FROM notices WHERE once LIKE 'alert:%' AND chat_id NOT IN (SELECT value FROM json_each(?))
     OR once LIKE 'digest:%' AND chat_id NOT IN (SELECT value FROM json_each(?))`,
    JSON.stringify(idsOf(booth, "operators")),
    JSON.stringify(idsOf(booth, "sales")),
  );
  return [
    ...elsewhere.map(({ id, chat_id }) => `an alert or a digest, notice ${id}, is for another chat: ${chat_id}`),
    ...lost.map((group) => `the ${group}' group became another one, and nobody followed it`),
    ...(trouble.length > 0 ? ["the bot was let into the sales group again, and the operators think it is out"] : []),
  ];
}
