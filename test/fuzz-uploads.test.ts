/** Photos that are damaged on their way, or never were any: taken or refused in words, and a refused one leaves nothing. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import sharp from "sharp";
import { removeSessionFiles } from "../shared/files.ts";
import { visitAtCamera } from "./fresh.ts";
import { added, attack, grown } from "./fuzz-judge.ts";
import { openApi } from "./fuzz-server.ts";
import { encoded } from "./fuzz-sheets.ts";
import { damaged, FUZZ_MS } from "./fuzz-tools.ts";
import { fixture } from "./world.ts";

setDefaultTimeout(FUZZ_MS);

const { db, dataDir, holdings, judged, now, close } = openApi();
afterAll(close);

test("a damaged photo is taken or refused in words, and a refused one leaves nothing", async () => {
  const files = await encoded(sharp(fixture("selfie.jpg")).resize(140));
  const sent = fc.oneof(damaged(files), fc.constantFrom(...files));
  let guest = 8000;
  let taken = 0;
  await attack(
    fc.asyncProperty(sent, async (photo) => {
      guest += 1;
      const token = visitAtCamera(db, guest, now());
      const before = holdings();
      const form = new FormData();
      form.append("photo", new Blob([Uint8Array.from(photo)], { type: "image/jpeg" }), "selfie.jpg");
      const { status } = await judged("POST", `/session/${token}/photo`, { body: form });
      expect([202, 415, 422]).toContain(status);
      if (status !== 202) return;
      taken += 1;
      const after = holdings();
      // The funnel counts in rows that many visits share.
      const { visit_moves: _shared, ...rows } = grown(before, after);
      expect(rows).toEqual({ jobs: 1, history: 2 });
      expect(added(before, after)).toEqual([
        expect.stringMatching(new RegExp(`^sessions/${token}/selfie-[0-9a-f]{16}\\.jpg$`)),
      ]);
      // As its time to live does: what is listed each time stays short.
      removeSessionFiles(dataDir, token);
    }),
    300,
  );
  expect(taken).toBeGreaterThan(100);
});

test("a damaged upload is refused in words", async () => {
  let guest = 9000;
  const boundary = "----border";
  const upload = (name: string) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\nnothing\r\n--${boundary}--\r\n`,
    );
  await attack(
    fc.asyncProperty(damaged([upload("photo"), upload("x")].map((b) => new Uint8Array(b))), async (body) => {
      const token = visitAtCamera(db, ++guest, now());
      const { status } = await judged("POST", `/session/${token}/photo`, {
        body: Uint8Array.from(body),
        headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      });
      expect([415, 422]).toContain(status);
    }),
    200,
  );
});
