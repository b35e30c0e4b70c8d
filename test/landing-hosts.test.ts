import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHAT, closedOrigin, SECRET, SENT, STORED, standIn, TOKEN } from "./landing-stand-in.ts";

const HOST_FILE = new URL("../landing/api/vercel.ts", import.meta.url).pathname;
const LANDING = new URL("../landing/", import.meta.url).pathname;
/** What a serverless host does: it loads the bundle and hands it requests. Prints a status and a place for each. */
const HOST = `
const { default: handle, config } = await import(process.argv[2]);
const headers = { "x-real-ip": "203.0.113.7", "x-forwarded-for": "1.2.3.4" };
const page = await handle(new Request("https://sales.example/uz", { headers }));
const body = new URLSearchParams({ name: "Aziz", contact: "@aziz" });
const sent = await handle(new Request("https://sales.example/uz", { method: "POST", body, headers }));
console.log(JSON.stringify([config.runtime, page.status, sent.status, sent.headers.get("location")]));
`;

test("the landing stands alone: it imports nothing from outside its folder", async () => {
  const files = [...new Bun.Glob("**/*.ts").scanSync(LANDING)];
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const source = await Bun.file(join(LANDING, file)).text();
    for (const [, path = ""] of source.matchAll(/ from "([^"]+)"/g))
      expect(new URL(path, `file://${LANDING}${file}`).pathname.startsWith(LANDING) && path.startsWith(".")).toBe(true);
  }
});

for (const runtime of ["bun", "node"]) {
  // Whoever runs these tests has Node: npx comes with it.
  const program = runtime === "bun" ? process.execPath : "node";
  test(`the bundle of the host file serves under ${runtime}, with and without the server`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "landing-"));
    await using api = standIn(STORED);
    await using telegram = standIn(SENT);
    try {
      const built = await Bun.build({
        entrypoints: [HOST_FILE],
        target: "browser",
        outdir: folder,
        naming: "edge.mjs",
      });
      expect(built.success).toBe(true);
      await Bun.write(join(folder, "host.mjs"), HOST);
      const run = async (origin: string) => {
        const routes = {
          LEADS_ENDPOINT: `${origin}/leads`,
          LEADS_SECRET: SECRET,
          BOT_TOKEN: TOKEN,
          LEADS_CHAT_ID: CHAT,
        };
        const env = {
          PATH: process.env.PATH,
          ...routes,
          TELEGRAM_API_ROOT: telegram.origin,
          LANDING_TELEGRAM: "@booth_test",
        };
        const child = Bun.spawn([program, join(folder, "host.mjs"), join(folder, "edge.mjs")], {
          env,
          stderr: "inherit",
        });
        const lines = (await new Response(child.stdout).text()).trim().split("\n");
        return JSON.parse(lines.at(-1) ?? "");
      };
      expect(await run(api.origin)).toEqual(["edge", 200, 303, "/uz/thanks?n=7"]);
      expect(api.calls[0]?.body.visitor_ip).toBe("203.0.113.7");
      expect(await run(await closedOrigin())).toEqual(["edge", 200, 303, "/uz/thanks"]);
      expect(telegram.calls).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
