/** A pack between two worlds, for tests: Telegram has the set, and the bot cannot learn of it until `sim.clearFaults()`. */
import type { World } from "./world.ts";

/** @returns the visit's token, its job being back in the queue */
export async function stuckCreation(world: World, guest: number): Promise<string> {
  const { sim } = world;
  const token = await world.visit(guest);
  sim.fault({ target: "telegram:createNewStickerSet", do: { executeThenLose: "reset" } });
  sim.fault({ target: "telegram:getStickerSet", times: -1, do: { status: 500 } });
  await world.sendPhoto(token, world.selfie());
  await world.eventually(
    () =>
      world.rows("SELECT status FROM jobs WHERE session_token = ?", token)[0]?.status === "queued" &&
      sim.sets.some((s) => s.ownerId === guest),
    "the unknown outcome",
  );
  return token;
}
