/** Whatever is posted to the landing: a page or a redirect, never a 500, and nothing typed comes back as markup. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { createLanding } from "../landing/handler.ts";
import { attack, inTime } from "./fuzz-judge.ts";
import { damaged, FUZZ_MS, text } from "./fuzz-tools.ts";
import { CHAT, SECRET, SENT, STORED, standIn, TOKEN } from "./landing-stand-in.ts";

setDefaultTimeout(FUZZ_MS);

const api = standIn(STORED);
const telegram = standIn(SENT);
afterAll(() => Promise.all([api[Symbol.asyncDispose](), telegram[Symbol.asyncDispose]()]));

let now = 1_000_000;
const landing = createLanding(
  {
    endpoint: `${api.origin}/leads`,
    secret: SECRET,
    botToken: TOKEN,
    chatId: CHAT,
    telegramRoot: telegram.origin,
    phone: "+998 71 200-00-00",
    telegram: "sticker_booth",
  },
  {
    nowMs: () => {
      now += 600_000;
      return now;
    },
  },
);

/** What every page has of its own, told by one that shows nothing typed. */
const tagsOf = (page: string) => page.match(/<\/?(script|b|img|iframe|svg onload)[\s>]/gi)?.length ?? 0;

async function judged(request: Request, body: unknown): Promise<Response> {
  const response = await inTime(`${request.method} ${request.url} ${body}`, () => landing(request, "203.0.113.7"));
  expect(response.status).toBeLessThan(503);
  expect(response.status).not.toBe(500);
  return response;
}

const MARKUP = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><b>x</b>",
  "</textarea><script>x</script>",
];
const value = fc.oneof(text, fc.constantFrom(...MARKUP, "2027-05-01", "20", "wedding", "@aziz"));
const names = [
  "request_id",
  "name",
  "contact",
  "event_type",
  "event_date",
  "guests",
  "city",
  "comment",
  "locale",
  "page",
  "utm_source",
  "utm_x",
  "website",
  "x",
];

test("forms of any fields, each maybe several times", async () => {
  const plain = await (await landing(new Request("http://landing.test/ru"))).text();
  const usual = tagsOf(plain);
  const fields = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 14 });
  await attack(
    fc.asyncProperty(fields, fc.constantFrom("ru", "uz", "en"), async (entries, lang) => {
      const body = new URLSearchParams(entries.map(([name, said]) => [name, said.toWellFormed()]));
      const response = await judged(new Request(`http://landing.test/${lang}`, { method: "POST", body }), body);
      expect([200, 303, 413, 422, 429]).toContain(response.status);
      expect(tagsOf(await response.text())).toBeLessThanOrEqual(usual);
      expect(response.headers.get("location") ?? "/").toMatch(/^\/(ru|uz|en)?(\/thanks)?(\?n=\d+)?$|^\/$/);
    }),
    400,
  );
});

test("bodies, addresses and headers that no browser sends", async () => {
  const good = new TextEncoder().encode(
    "request_id=0f8fad5b-d9cb-469f-a165-70867728950e&name=A&contact=%40aziz&guests=%zz&comment=%ff%fe",
  );
  const path = fc.oneof(
    fc.constantFrom("/", "/ru", "/uz/thanks?n=<b>", "/en/", "/ru/thanks/x", "//ru"),
    text.map((part) => `/${encodeURIComponent(part.toWellFormed())}`),
  );
  const header = fc.string({ maxLength: 80 }).map((s) => s.replace(/[^\x20-\x7e]/g, "").trim());
  const type = fc.constantFrom(
    "application/x-www-form-urlencoded",
    "application/json",
    "multipart/form-data; boundary=x",
    "",
  );
  const method = fc.constantFrom("GET", "HEAD", "POST", "POST", "PUT", "DELETE");
  await attack(
    fc.asyncProperty(method, path, type, header, damaged([good]), async (verb, where, kind, wild, body) => {
      const headers = {
        "content-type": kind,
        "accept-language": wild,
        "x-forwarded-for": wild,
        origin: wild,
        referer: wild,
      };
      const sent = verb === "GET" || verb === "HEAD" ? undefined : Uint8Array.from(body);
      const request = new Request(`http://landing.test${where}`, { method: verb, headers, body: sent });
      await judged(request, new TextDecoder().decode(sent));
    }),
    400,
  );
});
