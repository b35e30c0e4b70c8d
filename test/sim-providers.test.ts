import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI, { APIConnectionError, APIError, toFile } from "openai";
import sharp from "sharp";
import { type Sim, startSim } from "./sim/sim.ts";

const IMAGE = "gemini-nano-banana-2.1";
const VISION = "gemini-3.8-flash";
const selfieSchema = {
  type: "object",
  properties: { usable: { type: "boolean" }, faces: { type: "integer" }, problem: { type: "string" } },
  required: ["usable", "faces", "problem"],
  additionalProperties: false,
};
const sheetSchema = {
  type: "object",
  properties: { usable: { type: "boolean" }, stickers: { type: "array", items: { type: "object" } } },
};

let sim: Sim;
let selfie: Buffer;
beforeEach(async () => {
  sim = await startSim();
  selfie = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#a75" } })
    .jpeg()
    .toBuffer();
});
afterEach(() => sim.stop());

async function thrown(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => {
      throw new Error("the call was expected to fail");
    },
    (error: unknown) => error,
  );
}

describe("gemini", () => {
  const client = (apiKey = "key") => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: sim.root } });
  const photo = () => ({ inlineData: { mimeType: "image/jpeg", data: selfie.toString("base64") } });
  const draw = (text = "Draw 9 stickers") =>
    client().models.generateContent({
      model: IMAGE,
      contents: [{ role: "user", parts: [{ text }, photo()] }],
      config: { responseModalities: ["TEXT", "IMAGE"], imageConfig: { aspectRatio: "1:1", imageSize: "2K" } },
    });
  const look = (schema: object) =>
    client().models.generateContent({
      model: VISION,
      contents: [{ role: "user", parts: [{ text: "Look" }, photo()] }],
      config: { responseMimeType: "application/json", responseJsonSchema: schema },
    });
  type Drawn = Awaited<ReturnType<typeof draw>>;
  const partsOf = (drawn: Drawn) => drawn.candidates?.[0]?.content?.parts ?? [];
  const pictureOf = (drawn: Drawn) =>
    Buffer.from(partsOf(drawn).findLast((part) => !part.thought && part.inlineData)?.inlineData?.data ?? "", "base64");

  test("draws a sheet behind thoughts and words, and says what it cost", async () => {
    const drawn = await draw();
    expect(partsOf(drawn).map((part) => Boolean(part.thought))).toEqual([true, true, false, false]);
    const { width, height, format } = await sharp(pictureOf(drawn)).metadata();
    expect([width, height, format]).toEqual([2048, 2048, "png"]);
    expect(drawn.usageMetadata?.totalTokenCount).toBeGreaterThan(1000);
    expect(sim.calls.map((call) => call.target)).toEqual(["gemini:image"]);
  });

  test("draws as many as were asked for", async () => {
    const four = await sharp(pictureOf(await draw("Draw a 2x2 grid of stickers on #ff00ff")))
      .raw()
      .toBuffer();
    expect([...four.subarray(0, 3)]).toEqual([255, 0, 255]);
    const verdict = JSON.parse((await look(sheetSchema)).text ?? "");
    expect(verdict.stickers).toHaveLength(4);
  });

  test("looks at selfies and sheets by the schema that is asked for", async () => {
    expect(JSON.parse((await look(selfieSchema)).text ?? "")).toEqual({ usable: true, faces: 1, problem: "none" });
    const sheet = JSON.parse((await look(sheetSchema)).text ?? "");
    expect(sheet.stickers.map((sticker: { cell: number }) => sticker.cell)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    sim.fault({ target: "gemini:vision", do: { answer: { usable: false, faces: 0, problem: "no_face" } } });
    expect(JSON.parse((await look(selfieSchema)).text ?? "").problem).toBe("no_face");
    expect(sim.calls.map((call) => call.target)).toEqual(["gemini:selfie", "gemini:sheet", "gemini:selfie"]);
  });

  test("refuses, stops at the prompt, talks instead of drawing, and lies about the type", async () => {
    sim.fault({ target: "gemini:image", do: { outcome: "refused" } });
    expect((await draw()).candidates?.[0]?.finishReason).toBe("IMAGE_SAFETY" as never);
    sim.fault({ target: "gemini:image", do: { outcome: "blocked" } });
    expect((await draw()).promptFeedback?.blockReason).toBe("PROHIBITED_CONTENT" as never);
    sim.fault({ target: "gemini:image", do: { outcome: "no_image" } });
    expect(pictureOf(await draw())).toHaveLength(0);
    sim.fault({ target: "gemini:image", do: { outcome: "wrong_mime" } });
    const lie = await draw();
    expect(partsOf(lie).at(-1)?.inlineData?.mimeType).toBe("image/png");
    expect((await sharp(pictureOf(lie)).metadata()).format).toBe("jpeg");
    sim.fault({ target: "gemini:vision", do: { outcome: "bad_json" } });
    const text = (await look(selfieSchema)).text ?? "";
    expect(() => JSON.parse(text)).toThrow();
  });

  test("keys and models", async () => {
    const list = (key: string) => client(key).models.get({ model: IMAGE });
    expect((await list("key")).name).toBe(`models/${IMAGE}`);
    expect(await thrown(list("bad-key"))).toMatchObject({ status: 400 });
    const cases = { overloaded: 503, rate_limited: 429, bad_key: 400, forbidden: 403, unknown_model: 404 } as const;
    for (const [outcome, status] of Object.entries(cases)) {
      sim.fault({ target: "gemini:image", do: { outcome: outcome as keyof typeof cases } });
      const error = await thrown(draw());
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status });
    }
    expect(sim.violations).toEqual([]);
  });

  test("HTML, half an answer, a broken connection and silence", async () => {
    for (const action of [{ html: "<html>oops</html>" }, { truncate: true }, { reset: true }] as const) {
      sim.fault({ target: "gemini:*", do: action });
      await thrown(draw());
    }
    sim.fault({ target: "gemini:image", do: { hang: true } });
    const caller = new AbortController();
    const call = client().models.generateContent({
      model: IMAGE,
      contents: "Draw",
      config: { responseModalities: ["IMAGE"], abortSignal: caller.signal },
    });
    await sim.until(() => sim.calls.some((one) => one.outcome.includes("hang")));
    caller.abort();
    await thrown(call);
  });
});

describe("openai", () => {
  const client = (apiKey = "key") => new OpenAI({ apiKey, baseURL: `${sim.root}/v1`, maxRetries: 0 });
  const edit = async (background: "transparent" | "opaque" = "opaque") =>
    client().images.edit({
      model: "gpt-image-2",
      prompt: "Nine stickers in a 3 by 3 grid",
      image: await toFile(selfie, "selfie.jpg", { type: "image/jpeg" }),
      background,
    });
  const look = (schema: Record<string, unknown>, strict = true) =>
    client().responses.create({
      model: "gpt-5.6",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Look" },
            { type: "input_image", detail: "auto", image_url: `data:image/jpeg;base64,${selfie.toString("base64")}` },
          ],
        },
      ],
      text: { format: { type: "json_schema", name: "verdict", strict, schema } },
    });

  test("edits a photo into a sheet, transparent where asked", async () => {
    const opaque = await edit();
    expect(opaque.usage?.input_tokens_details.image_tokens).toBe(388);
    const clear = await edit("transparent");
    expect(clear.background).toBe("transparent");
    const stats = await sharp(Buffer.from(clear.data?.[0]?.b64_json ?? "", "base64")).stats();
    expect(stats.isOpaque).toBe(false);
    expect(sim.calls.map((call) => call.target)).toEqual(["openai:image", "openai:image"]);
    expect(Object.keys(sim.calls[0]?.files ?? {})).toEqual(["image"]);
  });

  test("answers by schema, and refuses schemas that are not strict", async () => {
    expect(JSON.parse((await look(selfieSchema)).output_text).faces).toBe(1);
    expect(await thrown(look(sheetSchema))).toMatchObject({ status: 400, code: "invalid_json_schema" });
    expect(JSON.parse((await look(sheetSchema, false)).output_text).stickers).toHaveLength(9);
    sim.fault({ target: "openai:vision", do: { outcome: "refused" } });
    expect((await look(selfieSchema)).output_text).toBe("");
  });

  test("moderation, transparency, keys, models, overload", async () => {
    const cases = {
      refused: { status: 400, code: "moderation_blocked" },
      opaque_only: { status: 400, param: "background" },
      overloaded: { status: 503 },
      rate_limited: { status: 429 },
      bad_key: { status: 401, code: "invalid_api_key" },
      unknown_model: { status: 404, code: "model_not_found" },
    } as const;
    for (const [outcome, expected] of Object.entries(cases)) {
      sim.fault({ target: "openai:image", do: { outcome: outcome as keyof typeof cases } });
      const error = await thrown(edit("transparent"));
      expect(error).toBeInstanceOf(APIError);
      expect(error).toMatchObject(expected);
    }
    expect(sim.violations).toEqual([]);
    expect(await thrown(client("bad").models.list())).toMatchObject({ status: 401 });
    expect((await client().models.list()).data.length).toBeGreaterThan(0);
    sim.fault({ target: "openai:image", do: { reset: true } });
    expect(await thrown(edit())).toBeInstanceOf(APIConnectionError);
  });
});
