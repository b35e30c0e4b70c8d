/** Settings: every fault at once, in plain words and without secrets; the example is the schema's own. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, EX_CONFIG, envExample, readConfig } from "../shared/config.ts";
import { AppError } from "../shared/errors.ts";
import { freshFolder } from "./fresh.ts";

const ROOT = join(import.meta.dir, "..");
const good = { BOT_TOKEN: "7100000001:AAbbccddeeffgghhiijjkk", ADMIN_CHAT_ID: "-1001234567890" };

function faultsOf(env: Record<string, string | undefined>): Record<string, string> {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof AppError && error.fields) return error.fields;
    throw error;
  }
  return {};
}

test("two settings are enough, the rest has the contract's defaults", () => {
  const config = readConfig(good);
  const some: Partial<Config> = {
    ADMIN_CHAT_ID: -1001234567890,
    DATA_DIR: "./data",
    HOST: "127.0.0.1",
    PORT: 8000,
    PUBLIC_URL: "http://127.0.0.1:8000",
    LEADS_RETENTION_DAYS: 365,
    LEADS_REMIND_MINUTES: 30,
    DIGEST_HOUR: 9,
    TZ_NAME: "Asia/Tashkent",
    PACK_LIMIT: 3,
    PHOTO_TTL_HOURS: 24,
    SESSION_TTL_MINUTES: 10,
    WORKER_SLOTS: 2,
    DAILY_BUDGET_USD: 0,
    AI_PROVIDERS: ["gemini", "openai"],
    TELEGRAM_API_ROOT: "https://api.telegram.org",
    TELEGRAM_WEB_ROOT: "https://t.me",
    STICKERS_PER_PACK: 9,
  };
  expect(config).toMatchObject(some);
  expect(config.KIOSK_KEY).toBeUndefined();
});

test("empty and blank values are as good as absent", () => {
  expect(readConfig({ ...good, PORT: " ", KIOSK_KEY: "", TZ_NAME: "\t" })).toMatchObject({ PORT: 8000 });
  expect(Object.keys(faultsOf({ BOT_TOKEN: "", ADMIN_CHAT_ID: " " }))).toEqual(["BOT_TOKEN", "ADMIN_CHAT_ID"]);
});

test("addresses lose their last slash, an IPv6 host gets its brackets", () => {
  expect(readConfig({ ...good, TELEGRAM_WEB_ROOT: "https://t.me//", HOST: "::1" })).toMatchObject({
    TELEGRAM_WEB_ROOT: "https://t.me",
    PUBLIC_URL: "http://[::1]:8000",
  });
});

const bad: Record<string, string[]> = {
  BOT_TOKEN: ["abc", "123:short", "x23456:AAbbccddeeffgghhiijjkk"],
  ADMIN_CHAT_ID: ["@channel", "1.5", "true", "1e400"],
  PORT: ["-1", "65536", "http", "80.5", "0x50", "true", "8000 8001", "NaN"],
  WORKER_SLOTS: ["0", "17", "two", "1,5"],
  DAILY_BUDGET_USD: ["-1", "ten", "Infinity", "true"],
  STICKERS_PER_PACK: ["5", "nine", "9.5"],
  TZ_NAME: ["Mars/Olympus", "Tashkent"],
  AI_PROVIDERS: ["gemini,dalle", ",", "Gemini"],
  PUBLIC_URL: ["booth.example", "ftp://booth.example", "https://booth.example/?a=1", "https://u:p@booth.example"],
  BOT_USERNAME: ["@booth_bot", "b", "booth-bot"],
  KIOSK_KEY: ["x".repeat(501)],
  ADMIN_PASSWORD: ["short"],
  LEADS_SECRET: ["tooshort"],
  LOG_LEVEL: ["loud"],
};

for (const [name, values] of Object.entries(bad)) {
  test(`${name} refuses ${values.map((v) => JSON.stringify(v.slice(0, 30))).join(", ")}`, () => {
    for (const value of values)
      expect([value, faultsOf({ ...good, [name]: value })[name] ?? ""]).not.toEqual([value, ""]);
  });
}

test("all faults come at once, secrets never among them", () => {
  const secrets = { BOT_TOKEN: "my-secret-token", ADMIN_PASSWORD: "hunter2", LEADS_SECRET: "s3cr3t" };
  const faults = faultsOf({ ...secrets, ADMIN_CHAT_ID: "x", PORT: "y", TZ_NAME: "z" });
  expect(Object.keys(faults).sort()).toEqual(
    ["ADMIN_CHAT_ID", "ADMIN_PASSWORD", "ADMIN_USER", "BOT_TOKEN", "LEADS_SECRET", "PORT", "TZ_NAME"].sort(),
  );
  const text = JSON.stringify(faults);
  for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
});

test("a secret that stands in the wrong setting is not printed either", () => {
  const faults = faultsOf({
    BOT_TOKEN: good.BOT_TOKEN,
    ADMIN_CHAT_ID: good.BOT_TOKEN,
    PUBLIC_URL: "https://admin:pa55word@booth.example",
    PORT: "sk-proj-aaaaaaaaaaaaaaaa",
  });
  const text = JSON.stringify(faults);
  for (const secret of [good.BOT_TOKEN.slice(11), "pa55word", "aaaaaaaa"]) expect(text).not.toContain(secret);
});

test("user and password of /admin come together", () => {
  expect(faultsOf({ ...good, ADMIN_USER: "boss" })).toHaveProperty("ADMIN_PASSWORD");
  expect(faultsOf({ ...good, ADMIN_PASSWORD: "long enough" })).toHaveProperty("ADMIN_USER");
});

test(".env.example is what the schema says (bun run env writes it)", () => {
  expect(readFileSync(join(ROOT, ".env.example"), "utf8")).toBe(envExample());
});

test(".env.example names every setting, and read as it is it lacks only the required ones", () => {
  const text = envExample();
  const lines = [...text.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value] as const);
  const faults = faultsOf(Object.fromEntries(lines));
  expect(Object.keys(faults).sort()).toEqual(["ADMIN_CHAT_ID", "BOT_TOKEN"]);
  const contract =
    "BOT_TOKEN ADMIN_CHAT_ID LEADS_CHAT_ID BOT_USERNAME DATA_DIR HOST PORT PUBLIC_URL ADMIN_USER ADMIN_PASSWORD KIOSK_KEY LEADS_SECRET LEADS_IP_SALT LEADS_RETENTION_DAYS LEADS_REMIND_MINUTES DIGEST_HOUR TZ_NAME PACK_LIMIT PHOTO_TTL_HOURS SESSION_TTL_MINUTES WORKER_SLOTS DAILY_BUDGET_USD AI_PROVIDERS GEMINI_API_KEY OPENAI_API_KEY GEMINI_IMAGE_MODEL GEMINI_VISION_MODEL OPENAI_IMAGE_MODEL OPENAI_VISION_MODEL TELEGRAM_API_ROOT TELEGRAM_WEB_ROOT GEMINI_BASE_URL OPENAI_BASE_URL STICKERS_PER_PACK";
  for (const name of contract.split(" ")) expect(lines.map(([n]) => n)).toContain(name);
});

for (const script of ["api/main.ts", "bot/main.ts"]) {
  test(`${script} with wrong settings lists them all, exits ${EX_CONFIG} and makes nothing`, async () => {
    using folder = freshFolder();
    const dataDir = join(folder.path, "data");
    const env = { BOT_TOKEN: "123:a-secret", PORT: "99999", WORKER_SLOTS: "no", DATA_DIR: dataDir };
    const program = Bun.spawn([process.execPath, join(ROOT, script)], { env, cwd: folder.path, stderr: "pipe" });
    const [out, err] = await Promise.all([new Response(program.stdout).text(), new Response(program.stderr).text()]);
    expect(await program.exited).toBe(EX_CONFIG);
    for (const name of ["BOT_TOKEN", "ADMIN_CHAT_ID", "PORT", "WORKER_SLOTS"])
      expect(err).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(out + err).not.toContain("a-secret");
    expect(out + err).not.toContain("    at ");
    expect(readdirSync(folder.path)).toEqual([]);
  });
}
