/** The landing in Chromium, on a port of its own, with stand-ins for the api and for Telegram. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { createLanding } from "../landing/handler.ts";
import { CHAT, SECRET, SENT, STORED, standIn, TOKEN } from "./landing-stand-in.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ARGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };
export const TEST_MS = 60_000;

export const hasChromium = existsSync(CHROMIUM);
if (!hasChromium) console.warn(`SKIPPED: the landing in a browser, because there is no ${CHROMIUM} (set CHROMIUM)`);

export const startBrowser = () => chromium.launch({ executablePath: CHROMIUM, args: ARGS.split(" ") });

/** A landing on its own port, a page on it, and what the browser complained about or fetched from elsewhere. */
export async function openLanding(browser: Browser, path: string, options: BrowserContextOptions = {}) {
  const api = standIn(STORED);
  const telegram = standIn(SENT);
  const routes = { endpoint: `${api.origin}/leads`, secret: SECRET, botToken: TOKEN, chatId: CHAT };
  const contacts = { phone: "+998 71 200-00-00", telegram: "sticker_booth", telegramRoot: telegram.origin };
  const landing = createLanding({ ...routes, ...contacts });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => landing(request, crypto.randomUUID()),
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on(
    "request",
    (request) => /^http/.test(request.url()) && !request.url().startsWith(origin) && complaints.push(request.url()),
  );
  await page.goto(origin + path);
  const close = async () => {
    await context.close();
    await Promise.all([server.stop(true), api[Symbol.asyncDispose](), telegram[Symbol.asyncDispose]()]);
  };
  return { page, api, telegram, complaints, origin, [Symbol.asyncDispose]: close };
}

export const requestId = (page: Page) => page.locator("[name=request_id]").inputValue();
export const send = (page: Page) => page.locator("#form .button").click();
