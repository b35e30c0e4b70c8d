/** An api alone, with visits that wait for their photo: what the tests of uploads start from. */
import type { Database } from "bun:sqlite";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openDb } from "../shared/db.ts";
import { visitAtCamera } from "./fresh.ts";
import { fixture, type Json, World } from "./world.ts";

export async function openCamera() {
  const world = await World.open({ bot: false });
  const db: Database = openDb(world.dataDir);
  let guests = 1;
  return {
    world,
    db,
    selfie: fixture("selfie.jpg"),
    /** A new guest's visit that waits for a photo. @returns its token */
    atCamera: () => visitAtCamera(db, guests++, Date.now()),
    /** What lies on disk for a visit. */
    filesOf(token: string): string[] {
      const folder = join(world.dataDir, "sessions", token);
      return existsSync(folder) ? readdirSync(folder) : [];
    },
    jobsOf: (token: string): Json[] => world.rows("SELECT * FROM jobs WHERE session_token = ?", token),
    async close() {
      db.close(false);
      await world[Symbol.asyncDispose]();
    },
  };
}
