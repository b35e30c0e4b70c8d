/** Photos that are damaged on their way, or never were any: taken or refused in words, and a refused one leaves nothing. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { sessionsDir } from "../shared/files.ts";
import { visitAtCamera } from "./fresh.ts";
import { openApi } from "./fuzz-server.ts";
import { damaged, FUZZ_MS, runs } from "./fuzz-tools.ts";
import { fixture } from "./world.ts";

setDefaultTimeout(FUZZ_MS);

const { db, dataDir, judged, now, close } = openApi();
afterAll(close);

test("a damaged photo is taken or refused in words, and a refused one leaves nothing", async () => {
  const small = sharp(fixture("selfie.jpg")).resize(140);
  const files = await Promise.all(
    [small.clone().jpeg(), small.clone().png(), small.clone().webp()].map((s) => s.toBuffer()),
  );
  let guest = 8000;
  await fc.assert(
    fc.asyncProperty(damaged(files.map((f) => new Uint8Array(f))), async (photo) => {
      guest += 1;
      const token = visitAtCamera(db, guest, now());
      const form = new FormData();
      form.append("photo", new Blob([Uint8Array.from(photo)], { type: "image/jpeg" }), "selfie.jpg");
      const { status } = await judged("POST", `/session/${token}/photo`, { body: form });
      expect([202, 415, 422]).toContain(status);
      const folders = readdirSync(sessionsDir(dataDir));
      expect(folders.includes(token)).toBe(status === 202);
      if (status === 202) expect(readdirSync(join(sessionsDir(dataDir), token))).toHaveLength(1);
    }),
    runs(150),
  );
});

test("a damaged upload is refused in words", async () => {
  let guest = 9000;
  const boundary = "----border";
  const upload = (name: string) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\nnothing\r\n--${boundary}--\r\n`,
    );
  await fc.assert(
    fc.asyncProperty(damaged([upload("photo"), upload("x")].map((b) => new Uint8Array(b))), async (body) => {
      const token = visitAtCamera(db, ++guest, now());
      const { status } = await judged("POST", `/session/${token}/photo`, {
        body: Uint8Array.from(body),
        headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      });
      expect([415, 422]).toContain(status);
    }),
    runs(200),
  );
});
