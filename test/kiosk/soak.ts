// Many guests of a long evening, one page: prints how much memory the page holds as they come and go.
//   bun test/kiosk/soak.ts [guests]
import { join } from "node:path";
import { findChromium, onScreen, openBrowser } from "./browser.ts";
import { openStand, walkTo } from "./stand.ts";

const REPORTS = 10;
/** From one guest to the next: 200 of them take four hours. */
const BETWEEN_MS = 72_000;
const MB = 1024 * 1024;

const guests = Number(process.argv[2] ?? 200);
const chromium = findChromium();
if (!chromium) throw new Error("Chromium is needed");
const selfie = await Bun.file(join(import.meta.dir, "../fixtures/selfie.jpg")).bytes();
await using browser = await openBrowser(chromium, Buffer.from(selfie));
await using stand = await openStand(browser, { heldClock: true });
const { page, mock } = stand;
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable");

type Figures = { heap: number; nodes: number; listeners: number };
const reports: Figures[] = [];

for (let guest = 1; guest <= guests; guest++) {
  await walkTo(stand, "camera");
  await page.waitForSelector("#shoot:enabled");
  // Every third guest goes all the way to the phone; the others leave, as guests do.
  if (guest % 3 === 0) {
    await walkTo(stand, "review", "en", "camera");
    await page.click("#use");
    await page.waitForSelector("#meter", { state: "hidden" });
    mock.last.status = "done";
    await onScreen(page, "phone");
    await page.click("#phone [data-do=leave]");
  } else await page.click("#camera [data-do=leave]");
  await onScreen(page, "start");
  await page.clock.runFor(BETWEEN_MS);
  mock.sessions.clear();
  for (const list of [mock.photos, mock.calls, mock.keys, mock.beats, mock.files]) list.length = 0;
  if (guest % Math.ceil(guests / REPORTS) === 0) await report(guest);
}
compare();
if (stand.complaints.length > 0) console.log("complaints:", stand.complaints);

async function report(guest: number) {
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  const figures = {
    heap: of("JSHeapUsedSize") / MB,
    nodes: of("Nodes"),
    listeners: of("JSEventListeners"),
  };
  reports.push(figures);
  console.log(`${guest} guests: ${line(figures)}`);
}

/** The first guests warm the page up; flat is what the second half looks like. */
function compare() {
  const [half, last] = [reports[Math.floor((reports.length - 1) / 2)], reports.at(-1)];
  if (!half || !last) return;
  const grown = Object.entries(last).map(([name, value]) => [name, value - half[name as keyof Figures]]);
  console.log(`second half: ${line(Object.fromEntries(grown))}`);
}

function line({ heap, nodes, listeners }: Figures) {
  return `${heap.toFixed(2)} MB heap, ${nodes} nodes, ${listeners} listeners`;
}
