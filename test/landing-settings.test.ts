import { expect, test } from "bun:test";
import { readSettings } from "../landing/settings.ts";

const GOOD = {
  LEADS_ENDPOINT: "https://booth.example/leads",
  LEADS_SECRET: "0123456789abcdef",
  BOT_TOKEN: "4242:abc_DEF-1",
  LEADS_CHAT_ID: "-100901",
  LANDING_PHONE: "+998 71 200-00-00",
};

test("good settings have no faults, and defaults are there", () => {
  const { settings, host, port, faults, warnings } = readSettings(GOOD);
  expect({ host, port, faults, warnings }).toEqual({ host: "127.0.0.1", port: 8002, faults: [], warnings: [] });
  expect(settings.endpoint).toBe("https://booth.example/leads");
});

test("all faults are told at once, and no secret is quoted", () => {
  const { faults } = readSettings({
    LEADS_ENDPOINT: "booth.example/leads",
    LEADS_SECRET: "geheim ä",
    BOT_TOKEN: "geheim",
    LEADS_CHAT_ID: "group",
    LANDING_PORT: "99999",
    LANDING_PHONE: "call us",
    LANDING_TELEGRAM: "https://example.com/x",
    TELEGRAM_API_ROOT: "ftp://x",
    LANDING_TRUSTED_PROXIES: "proxy!",
    TZ_NAME: "Asia/Atlantis",
  });
  const names = ["LEADS_ENDPOINT", "LEADS_SECRET", "BOT_TOKEN", "LEADS_CHAT_ID", "LANDING_PORT", "LANDING_PHONE"];
  for (const name of [...names, "LANDING_TELEGRAM", "TELEGRAM_API_ROOT", "LANDING_TRUSTED_PROXIES", "TZ_NAME"])
    expect(faults.filter((fault) => fault.startsWith(`${name} `))).toHaveLength(1);
  expect(faults.join()).not.toContain("geheim");
});

test("nothing set: no way to deliver, no way to be reached", () => {
  const { faults } = readSettings({});
  expect(faults).toHaveLength(2);
  expect(faults.join()).toContain("LANDING_PHONE or LANDING_TELEGRAM");
});

test("half a route is told", () => {
  expect(readSettings({ ...GOOD, LEADS_SECRET: "" }).faults.join()).toContain("LEADS_SECRET is missing");
  expect(readSettings({ ...GOOD, LEADS_CHAT_ID: "" })).toMatchObject({
    faults: [],
    warnings: [expect.stringContaining("No fallback")],
  });
  expect(readSettings({ ...GOOD, LEADS_ENDPOINT: "" }).warnings.join()).toContain("No LEADS_ENDPOINT");
  expect(readSettings({ ...GOOD, LEADS_ENDPOINT: "http://booth.example/leads" }).warnings.join()).toContain(
    "plain http",
  );
  expect(readSettings({ ...GOOD, LEADS_ENDPOINT: "http://127.0.0.1:8000/leads" }).warnings).toBeEmpty();
});

test("a Telegram contact is taken in each usual form", () => {
  for (const form of ["@sticker_booth", "sticker_booth", "t.me/sticker_booth", "https://t.me/sticker_booth/"])
    expect(readSettings({ ...GOOD, LANDING_TELEGRAM: form }).settings.telegram).toBe("sticker_booth");
});
