// Behind the scenes: Telegram, the bot's parts, what waits to be sent, disk and backups.
import { age, boothNow, bytes, since } from "../format.js";
import { say } from "../lang.js";
import { card, dot, h, soft } from "../parts/dom.js";

/** As the server has it: the bot leaves a sign each half minute. */
const DEAF_AFTER_MS = 90_000;

/** @param {import("../answers.ts").Overview} overview */
export function machine({ bot, outbox, disk_free_bytes, last_backup_at, version, problems }) {
  const late = bot.loops.filter((loop) => loop.late);
  const isDeaf = bot.last_poll_at === null || boothNow() - Date.parse(bot.last_poll_at) > DEAF_AFTER_MS;
  const standing = late.map(({ name, error }) => (error ? `${name}: ${error}` : say("machine.stands", { name })));
  // A booth without a backup is not well, even where it is too new to be blamed for it.
  const backup = levelOf("backup") ?? (last_backup_at === null ? "amber" : "green");
  return card(
    say("machine.title"),
    soft(say("machine.version", { version })),
    h(
      "ul",
      { class: "rows columns" },
      item(
        isDeaf ? "red" : "green",
        say("machine.telegram"),
        say("machine.answered", { since: since(bot.last_poll_at) }),
      ),
      item(
        late.length > 0 ? "red" : "green",
        say("machine.parts"),
        late.length > 0 ? standing.join("; ") : say("machine.all", { n: bot.loops.length }),
      ),
      item(
        levelOf("notices") ?? "green",
        say("machine.messages"),
        waiting(outbox.notices, outbox.oldest_notice_seconds),
      ),
      item(levelOf("leads") ?? "green", say("machine.leads"), waiting(outbox.leads, outbox.oldest_lead_seconds)),
      item(levelOf("disk") ?? "green", say("machine.disk"), say("machine.free", { size: bytes(disk_free_bytes) })),
      item(backup, say("machine.backup"), since(last_backup_at)),
    ),
  );

  /** @param {string} cause */
  function levelOf(cause) {
    return problems.find((problem) => problem.cause === cause)?.level;
  }
}

/** @param {number} n @param {number | null} seconds */
const waiting = (n, seconds) => (n === 0 ? say("machine.none") : say("machine.some", { n, age: age(seconds) }));

/** @param {"green"|"amber"|"red"} level @param {string} name @param {string} text */
const item = (level, name, text) =>
  h("li", {}, dot(level, say(`level.${level}`)), h("b", {}, name), h("span", { class: "grow soft" }, text));
