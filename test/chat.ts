/** A guest's side of the chat in a test: what they say, and what they hear. */
import { expect } from "bun:test";
import { speak } from "../shared/texts/index.ts";
import type { GuestLook } from "./sim/people.ts";
import type { World } from "./world.ts";

/** Text without its markup, as a chat shows it. */
export const plain = (html: string) => html.replace(/<[^>]+>/g, "");

/** @param firstGuest guests of a test get ids from here on */
export function chatIn(world: World, firstGuest: number) {
  const { sim, textsTo } = world;
  const en = speak("en");
  let guests = firstGuest;

  const heard = (guest: number) => sim.messages(guest).filter((m) => m.from?.is_bot);
  const lastTo = (guest: number) => textsTo(guest).at(-1) ?? "";

  /** Says something and waits for the answer to it. */
  async function say(guest: number, text: string, look: GuestLook = { lang: "en" }): Promise<string> {
    const before = heard(guest).length;
    sim.guestSays(guest, text, look);
    await sim.until(() => heard(guest).length > before, `an answer to ${text}`);
    return lastTo(guest);
  }

  /** Everything said so far has been handled and answered once this is: both go in order. */
  async function settled(guest: number) {
    const helps = () => textsTo(guest).filter((text) => text === plain(en.help)).length;
    const before = helps();
    sim.guestSays(guest, "/help");
    await sim.until(() => helps() > before, "the answer to /help");
  }

  /** A guest who stands before the question of consent. */
  async function asked(): Promise<{ guest: number; token: string }> {
    const guest = newGuest();
    const token = await world.start();
    await say(guest, `/start ${token}`);
    expect(sim.buttons(guest).map((b) => b.callback_data)).toEqual([`consent:${token}:yes`, `consent:${token}:no`]);
    return { guest, token };
  }

  function newGuest(): number {
    return ++guests;
  }

  return { heard, textsTo, lastTo, say, settled, asked, newGuest };
}
