// Lighthouse's marks for the kiosk's first screen, served by the real api behind the real Caddy, as it is at an event.
// Lighthouse brings 110 MB along and is no dependency; put it anywhere and name its folder:
//   npm install --prefix /tmp/lighthouse lighthouse@12.2.3
//   LIGHTHOUSE=/tmp/lighthouse/node_modules/lighthouse bun test/kiosk/lighthouse.ts [runs]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCaddy } from "../deploy/caddy.ts";
import { World } from "../world.ts";
import { findChromium, LAUNCH_ARGS } from "./browser.ts";

type Report = {
  lighthouseVersion: string;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
};

const CATEGORIES = ["performance", "accessibility", "best-practices"];
const TIMES = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"];
const { LIGHTHOUSE } = process.env;
const chromium = findChromium();
if (!LIGHTHOUSE || !chromium) throw new Error("Chromium and LIGHTHOUSE=<its folder> are needed");
const runs = Number(process.argv[2] ?? 3);

await using world = await World.open({ bot: false });
await using caddy = await startCaddy(new URL(world.url).host);
const [, port] = /"https_port":(\d+)/.exec(caddy.ownLog) ?? [];
const page = `https://localhost:${port}/`;
const folder = await mkdtemp(join(tmpdir(), "lighthouse-"));
try {
  const performance: number[] = [];
  for (let run = 1; run <= runs; run++) {
    const report = await measure(page);
    print(report);
    performance.push(Math.round((report.categories.performance?.score ?? 0) * 100));
  }
  // The same page is marked differently from run to run; Lighthouse's own advice is the median of five or more.
  performance.sort((a, b) => a - b);
  console.log(`performance: median ${performance[performance.length >> 1]} of ${performance.join(", ")}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(url: string): Promise<Report> {
  const out = join(folder, "report.json");
  const flags = [...LAUNCH_ARGS, "--headless=new", "--ignore-certificate-errors"].join(" ");
  const options = [`--only-categories=${CATEGORIES}`, "--output=json", `--output-path=${out}`, "--quiet"];
  const script = join(LIGHTHOUSE ?? "", "cli/index.js");
  const child = Bun.spawn(["node", script, url, ...options, `--chrome-flags=${flags}`], {
    env: { ...process.env, CHROME_PATH: chromium ?? "" },
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("Lighthouse failed");
  return Bun.file(out).json();
}

function print({ lighthouseVersion, categories, audits }: Report) {
  const marks = CATEGORIES.map((name) => `${name} ${Math.round((categories[name]?.score ?? 0) * 100)}`);
  const times = TIMES.map((name) => `${audits[name]?.title} ${audits[name]?.displayValue}`);
  console.log(`Lighthouse ${lighthouseVersion}: ${marks.join(", ")} (${times.join(", ")})`);
  for (const { auditRefs } of Object.values(categories)) {
    for (const { id, weight } of auditRefs) {
      const { score = null, title, displayValue = "" } = audits[id] ?? {};
      if (score !== null && score < 0.9 && weight > 0) console.log(`  ${id}: ${title} ${displayValue}`);
    }
  }
}
