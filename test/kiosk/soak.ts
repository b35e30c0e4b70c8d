// Many guests, one page: prints how much memory the page holds as they come and go.
//   bun test/kiosk/soak.ts [guests]
import { join } from "node:path";
import { findChromium, onScreen, openBrowser } from "./browser.ts";
import { openStand, walkTo } from "./stand.ts";

const REPORTS = 10;
const guests = Number(process.argv[2] ?? 200);
const chromium = findChromium();
if (!chromium) throw new Error("Chromium is needed");
const selfie = await Bun.file(join(import.meta.dir, "../fixtures/selfie.jpg")).bytes();
await using browser = await openBrowser(chromium, Buffer.from(selfie));
await using stand = await openStand(browser);
const { page, mock } = stand;
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable");

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
  mock.sessions.clear();
  mock.photos.length = 0;
  mock.calls.length = 0;
  mock.keys.length = 0;
  mock.beats.length = 0;
  if (guest % Math.ceil(guests / REPORTS) === 0) await report(guest);
}

async function report(guest: number) {
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  const heap = (of("JSHeapUsedSize") / 1024 / 1024).toFixed(2);
  console.log(`${guest} guests: ${heap} MB heap, ${of("Nodes")} nodes, ${of("JSEventListeners")} listeners`);
}
if (stand.complaints.length > 0) console.log("complaints:", stand.complaints);
