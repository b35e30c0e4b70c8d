/** Photos from the chat are fetched side by side, and opened one after the other: an open one takes tens of megabytes. */
import { expect, spyOn, test } from "bun:test";
import { Api } from "grammy";
import { fetchChatPhotos } from "../bot/chat-photos.ts";
import type { BotContext } from "../bot/context.ts";
import { Lanes } from "../bot/lanes.ts";
import { enqueueChatPhoto } from "../shared/chat-photos.ts";
import * as photos from "../shared/photos.ts";
import { freshConfig, freshDb, freshLog, NOON, visitAtCamera } from "./fresh.ts";
import { fixture } from "./world.ts";

const GUESTS = [1, 2, 3, 4];
const MINUTE_MS = 60_000;

test("four photos at once: all are asked for before one is answered, and never are two of them open", async () => {
  const asked = Promise.withResolvers<void>();
  let requests = 0;
  using telegram = Bun.serve({
    port: 0,
    async fetch() {
      if (++requests === GUESTS.length) asked.resolve();
      await asked.promise;
      return new Response(fixture("selfie.jpg"));
    },
  });
  using fresh = freshDb();
  const { db, dataDir } = fresh;
  const { log } = freshLog();
  const config = freshConfig({ DATA_DIR: dataDir, TELEGRAM_API_ROOT: telegram.url.origin });
  const api = new Api(config.BOT_TOKEN);
  api.getFile = async (file_id) => ({ file_id, file_unique_id: file_id, file_path: `photos/${file_id}.jpg` });
  const context: BotContext = { db, config, log, now: () => NOON, api, slowApi: api, wake: () => {} };
  for (const guest of GUESTS) {
    const session = visitAtCamera(db, guest);
    enqueueChatPhoto(db, { session, userId: guest, fileId: `f${guest}`, size: 1, now: NOON });
  }
  let open = 0;
  const openAtOnce: number[] = [];
  const { readPhoto } = photos;
  using _ = spyOn(photos, "readPhoto").mockImplementation(async (bytes) => {
    openAtOnce.push(++open);
    try {
      return await readPhoto(bytes);
    } finally {
      open--;
    }
  });
  const lanes = new Lanes("photos", log, () => {});
  fetchChatPhotos(context, lanes);
  await lanes.stop(MINUTE_MS);
  expect(openAtOnce).toEqual([1, 1, 1, 1]);
  expect(db.query("SELECT count(*) AS n FROM jobs").get()).toEqual({ n: GUESTS.length });
});
