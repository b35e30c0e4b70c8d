// Now: where guests are, what the booth does with them, and the machine around it.
import { dayChart, legend, roomIn } from "./charts.js";
import { action, card, dot, empty, h, tag, toast } from "./dom.js";
import { remove } from "./server.js";
import { budgetButton } from "./verdict.js";
import { age, bytes, guest, many, since, timeOf, usd } from "./words.js";

const STEPS = {
  selfie: "looks at the selfie",
  draw: "draws",
  check: "checks the sheet",
  cut: "cuts",
  pack: "makes the set",
};
const NAMES_SHOWN = 4;
/** At least so many hours in the chart. */
const HOURS_SHOWN = 6;

export const now = {
  title: "Now",
  load: async () => null,
  show: ({ overview, refresh, main }) => {
    const wide = main.clientWidth > 830;
    return [
      at("wide", way(overview)),
      at("third", today(overview, refresh)),
      at("two-thirds", chart(overview, roomIn(main, wide ? 2 / 3 : 1))),
      at("half", slots(overview)),
      at("half", kiosks(overview, refresh)),
      at("wide", machine(overview)),
    ];
  },
};

function at(place, element) {
  element.classList.add(place);
  return element;
}

/** From the code to the stickers, with who is where. */
function way({ guests, queue }) {
  const visits = (status) => guests.filter((visit) => visit.status === status);
  const jobs = (status) => queue.jobs.filter((job) => job.status === status);
  const stages = [
    ["At the code", visits("created").map(({ kiosk }) => kiosk)],
    ["Asked for consent", visits("linked").map(({ name }) => guest(name))],
    ["Choosing an outfit", visits("consented").map(({ name }) => guest(name))],
    ["At the camera", visits("template_chosen").map(({ name }) => guest(name))],
    ["In the queue", jobs("queued").map(({ name, seconds }) => `${guest(name)} ${age(seconds)}`)],
    ["Being drawn", jobs("running").map(({ name, seconds }) => `${guest(name)} ${age(seconds)}`)],
    ["On its way", jobs("delivering").map(({ name, seconds }) => `${guest(name)} ${age(seconds)}`)],
  ];
  const counts = [null, null, null, null, queue.queued, queue.running, queue.delivering];
  return card(
    "Guests in the booth",
    queue.oldest_seconds !== null &&
      h("span", { class: "soft small" }, `the first in the queue waits ${age(queue.oldest_seconds)}`),
    h(
      "ol",
      { class: "way" },
      stages.map(([name, who], i) => {
        const count = counts[i] ?? who.length;
        const known = who.filter(Boolean).slice(0, NAMES_SHOWN);
        return h(
          "li",
          { data: { busy: String(count > 0) } },
          h("span", { class: "small" }, name),
          h("b", {}, String(count)),
          known.length > 0 && h("span", { class: "who" }, known.join(", "), count > known.length ? " …" : ""),
        );
      }),
    ),
  );
}

function today({ today: day, budget }, refresh) {
  const figure = (value, name, tone = "") =>
    h("div", { class: "figure" }, h("b", { class: tone }, value), h("span", {}, name));
  const level = budget.held ? "red" : budget.share >= 0.8 ? "amber" : "green";
  const meter = h("div", { class: "meter", data: { level }, "aria-hidden": "true" }, h("i"));
  meter.style.setProperty("--share", `${Math.min(100, Math.round(budget.share * 100))}%`);
  return card(
    "Today",
    h("span", { class: "soft small" }, `since ${timeOf(day.since)}`),
    h(
      "div",
      { class: "figures" },
      figure(day.packs, day.packs === 1 ? "pack" : "packs", day.packs > 0 ? "good" : ""),
      figure(day.failed, "failed", day.failed > 0 ? "bad" : ""),
      figure(day.median_seconds === null ? "–" : `${day.median_seconds} s`, "usual time"),
      figure(day.guests, day.guests === 1 ? "guest" : "guests"),
    ),
    h(
      "p",
      { class: "soft small" },
      `${many(day.visits, "visit")}, ${many(day.retakes, "photo")} sent back, ${day.cancelled} stopped`,
    ),
    h(
      "p",
      {},
      h("b", {}, usd(budget.spent_usd)),
      budget.limit_usd > 0 ? ` of ${usd(budget.limit_usd)} for AI` : " for AI, no limit",
      budget.raised_by && h("span", { class: "soft small" }, ` · set for today by ${budget.raised_by}`),
    ),
    budget.limit_usd > 0 && meter,
    budget.limit_usd > 0 && h("div", {}, budgetButton(budget, refresh)),
  );
}

function chart({ today: day }, room) {
  const hours = busy(day.hours).map(({ at: hour, packs, failed, median_seconds }) => ({
    label: timeOf(hour),
    packs,
    failed,
    seconds: median_seconds,
  }));
  if (day.packs + day.failed === 0)
    return card("Packs over the day", null, empty("The first pack of the day will show here."));
  return card(
    "Packs over the day",
    legend([
      ["bar", "packs an hour"],
      ["bar-bad", "failed"],
      ["line", "usual seconds"],
    ]),
    dayChart(hours, room),
  );
}

/** From the hour before the first pack on; the morning before a party is long and empty. */
function busy(hours) {
  const first = hours.findIndex(({ packs, failed }) => packs + failed > 0);
  return hours.slice(Math.max(0, Math.min(first - 1, hours.length - HOURS_SHOWN)));
}

function slots({ slots: all, queue }) {
  if (all.length === 0) return card("Drawing slots", null, empty("The bot has not told of its slots yet."));
  return card(
    "Drawing slots",
    h("span", { class: "soft small" }, queue.queued > 0 ? `${queue.queued} waiting` : "nobody waits"),
    h(
      "ul",
      { class: "rows" },
      all.map(({ slot, late, job }) =>
        h(
          "li",
          {},
          dot(late ? "red" : job ? "amber" : "green", late ? "late" : job ? "busy" : "free"),
          h("b", {}, `Slot ${slot}`),
          job
            ? h(
                "span",
                { class: "grow" },
                `${STEPS[job.step] ?? job.step} for `,
                h("a", { href: `#jobs/${job.id}` }, `${guest(job.name)}, pack ${job.id}`),
              )
            : h("span", { class: "grow soft" }, late ? "stands still" : "is free"),
          job && h("span", { class: "soft num" }, age(job.seconds)),
        ),
      ),
    ),
  );
}

function kiosks({ kiosks: all }, refresh) {
  if (all.length === 0)
    return card("Kiosks", null, empty("No kiosk has told of itself yet. Open the kiosk page on a tablet."));
  return card(
    "Kiosks",
    null,
    h(
      "ul",
      { class: "rows" },
      all.map((kiosk) => {
        const battery = kiosk.battery === null ? null : Math.round(kiosk.battery * 100);
        const low = battery !== null && battery < 20 && !kiosk.charging;
        const well = kiosk.camera_ok && !low && kiosk.wake_lock !== false;
        return h(
          "li",
          {},
          dot(
            kiosk.silent || !kiosk.camera_ok ? "red" : well ? "green" : "amber",
            kiosk.silent ? "silent" : well ? "well" : "in trouble",
          ),
          h("b", {}, kiosk.id),
          h(
            "span",
            { class: "grow soft" },
            kiosk.silent ? `silent, last seen ${since(kiosk.last_seen_at)}` : `shows “${kiosk.screen ?? "?"}”`,
          ),
          !kiosk.camera_ok && tag("bad", `camera ${kiosk.camera}`),
          battery !== null && tag(low ? "bad" : "plain", `${kiosk.charging ? "⚡ " : ""}${battery} %`),
          kiosk.wake_lock === false && tag("warn", "screen may sleep"),
          kiosk.silent &&
            action(
              "Remove",
              async () => {
                await remove(`kiosks/${encodeURIComponent(kiosk.id)}`).catch((error) => toast(error.message, "bad"));
                await refresh();
              },
              { key: `remove ${kiosk.id}`, label: `Remove kiosk ${kiosk.id} from the list` },
            ),
        );
      }),
    ),
  );
}

function machine({ bot, outbox, disk_free_bytes, last_backup_at, version, problems }) {
  const level = (cause) => problems.find((problem) => problem.cause === cause)?.level ?? "green";
  const late = bot.loops.filter((loop) => loop.late);
  const deaf = bot.last_poll_at === null || Date.now() - Date.parse(bot.last_poll_at) > 90_000;
  const item = (tone, name, text) =>
    h("li", {}, dot(tone, tone), h("b", {}, name), h("span", { class: "grow soft" }, text));
  return card(
    "Behind the scenes",
    h("span", { class: "soft small" }, `version ${version}`),
    h(
      "ul",
      { class: "rows columns" },
      item(deaf ? "red" : "green", "Telegram", `last answer ${since(bot.last_poll_at)}`),
      item(
        late.length > 0 ? "red" : "green",
        "The bot's parts",
        late.length > 0
          ? late.map(({ name, error }) => `${name}${error ? `: ${error}` : " stands still"}`).join("; ")
          : `all ${bot.loops.length} work`,
      ),
      item(
        level("notices"),
        "Messages on their way",
        outbox.notices === 0 ? "none" : `${outbox.notices}, the first for ${age(outbox.oldest_notice_seconds)}`,
      ),
      item(
        level("leads"),
        "Leads on their way",
        outbox.leads === 0 ? "none" : `${outbox.leads}, the first for ${age(outbox.oldest_lead_seconds)}`,
      ),
      item(level("disk"), "Disk", `${bytes(disk_free_bytes)} free`),
      item(level("backup"), "Last backup", since(last_backup_at)),
    ),
  );
}
