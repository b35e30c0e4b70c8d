/** The two real clients against the simulated providers: every way a call can end, in the studio's classes. */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { geminiArtist } from "../bot/studio/providers/gemini.ts";
import { openaiArtist } from "../bot/studio/providers/openai.ts";
import type { Outcome, Provider, SheetOrder } from "../bot/studio/providers/provider.ts";
import { freshConfig } from "./fresh.ts";
import type { Fault } from "./sim/faults.ts";
import { startSim } from "./sim/sim.ts";
import { fixture } from "./world.ts";

const sim = await startSim();
const config = freshConfig({ ...sim.env(), BOT_TOKEN: "7100000001:unit-test-token-not-a-real-one" });
const artists: Record<string, Provider> = { gemini: geminiArtist(config), openai: openaiArtist(config) };
const selfie = fixture("selfie.jpg");
const order: SheetOrder = {
  selfie,
  outfit: { id: "chef", prompt: "a chef hat" },
  count: 9,
  key: { r: 0, g: 255, b: 0 },
  lang: "en",
  attempt: 0,
};
const open = () => new AbortController().signal;
const imageCalls = (name: string) => sim.calls.filter((c) => c.target === `${name}:image`).length;

afterEach(() => sim.clearFaults());
afterAll(() => sim.stop());

const ends: [string, Fault["do"], Outcome][] = [
  ["503", { outcome: "overloaded" }, "overloaded"],
  ["429", { outcome: "rate_limited" }, "overloaded"],
  ["a page of HTML with 502", { html: "<h1>Bad gateway</h1>" }, "overloaded"],
  ["a page of HTML with 200", { html: "<h1>Welcome to the hotel's Wi-Fi</h1>", status: 200 }, "overloaded"],
  ["a connection that breaks", { reset: true }, "overloaded"],
  ["half an answer", { truncate: true }, "overloaded"],
  ["a refusal", { outcome: "refused" }, "refused"],
  ["a prompt that is blocked", { outcome: "blocked" }, "refused"],
  ["words without a picture", { outcome: "no_image" }, "empty"],
  ["a wrong key", { outcome: "bad_key" }, "broken"],
  ["a key without the right", { outcome: "forbidden" }, "broken"],
  ["a model that is not there", { outcome: "unknown_model" }, "broken"],
];

for (const name of ["gemini", "openai"]) {
  const artist = artists[name] as Provider;

  describe(name, () => {
    for (const [what, fault, outcome] of ends) {
      test(`drawing: ${what} is ${outcome}, after one call`, async () => {
        sim.fault({ target: `${name}:image`, times: 5, do: fault });
        const before = imageCalls(name);
        const reply = await artist.drawSheet(order, open());
        expect(reply.outcome).toBe(outcome);
        expect(imageCalls(name) - before).toBe(1);
        if (reply.outcome === "ok") throw new Error("it cannot be ok");
        expect(reply.reason.length).toBeGreaterThan(3);
        expect(reply.reason).not.toContain("sim-gemini-key");
      });
    }

    test("drawing: the picture that counts, its tokens, and the model's name", async () => {
      const reply = await artist.drawSheet(order, open());
      if (reply.outcome !== "ok") throw new Error(reply.reason);
      expect(reply.value.length).toBeGreaterThan(100_000);
      expect([...reply.value.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
      expect(reply.spent.outputTokens).toBeGreaterThan(1_000);
      expect(reply.spent.images).toBe(1);
      expect(reply.model).toBe(name === "gemini" ? config.GEMINI_IMAGE_MODEL : config.OPENAI_IMAGE_MODEL);
    });

    test("drawing: bytes that are no picture are no picture", async () => {
      const imageBase64 = Buffer.from("<html>not a picture</html>").toString("base64");
      sim.fault({ target: `${name}:image`, do: { imageBase64 } });
      expect((await artist.drawSheet(order, open())).outcome).toBe("empty");
    });

    for (const [what, fault, outcome] of ends.filter(([what]) => !what.startsWith("words"))) {
      test(`looking: ${what} is ${outcome}`, async () => {
        sim.fault({ target: `${name}:selfie`, times: 5, do: fault });
        expect((await artist.checkSelfie(selfie, open())).outcome).toBe(outcome);
      });
    }

    test("looking: an answer that is no JSON, or not of the shape, is empty", async () => {
      sim.fault({ target: `${name}:selfie`, do: { outcome: "bad_json" } });
      expect((await artist.checkSelfie(selfie, open())).outcome).toBe("empty");
      sim.fault({ target: `${name}:sheet`, do: { answer: { usable: "yes" } } });
      expect((await artist.checkSheet(fixture("sheet-3x3.png"), 9, open())).outcome).toBe("empty");
    });

    test("looking: verdicts arrive whole", async () => {
      expect(await artist.checkSelfie(selfie, open())).toMatchObject({
        outcome: "ok",
        value: { usable: true, faces: 1 },
      });
      const sheet = await artist.checkSheet(fixture("sheet-3x3.png"), 9, open());
      if (sheet.outcome !== "ok") throw new Error(sheet.reason);
      expect(sheet.value.stickers).toHaveLength(9);
    });

    test("a call that hangs ends with its signal", async () => {
      sim.fault({ target: `${name}:image`, do: { hang: true } });
      const stop = new AbortController();
      const before = sim.calls.length;
      const reply = artist.drawSheet(order, stop.signal);
      await sim.until(() => sim.calls.length > before);
      stop.abort();
      expect((await reply).outcome).toBe("overloaded");
    });
  });
}

const unnamed = {
  error: {
    message: "Transparent background is not supported for this model.",
    param: null,
    code: null,
    type: "invalid_request_error",
  },
};
for (const [how, answer] of [
  ["", { outcome: "opaque_only" }],
  [", which names no field", { status: 400, body: unnamed }],
] as const)
  test(`openai: a model without transparency${how} is asked once more on the key colour`, async () => {
    sim.fault({ target: "openai:image", when: { background: "transparent" }, do: answer });
    const before = sim.calls.length;
    const reply = await (artists.openai as Provider).drawSheet(order, open());
    expect(reply.outcome).toBe("ok");
    const asked = sim.calls
      .slice(before)
      .map((c) => [c.params.background, String(c.params.prompt).includes("#00ff00")]);
    expect(asked).toEqual([
      ["transparent", false],
      ["opaque", true],
    ]);
  });

test("gemini: a JPEG that calls itself a PNG is taken for what it is", async () => {
  sim.fault({ target: "gemini:image", do: { outcome: "wrong_mime" } });
  const reply = await (artists.gemini as Provider).drawSheet(order, open());
  if (reply.outcome !== "ok") throw new Error(reply.reason);
  expect([...reply.value.subarray(0, 2)]).toEqual([0xff, 0xd8]);
});

test("no call broke a rule of either provider", () => {
  expect(sim.violations).toEqual([]);
});
