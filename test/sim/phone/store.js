/** What the page knows: `remote` comes from the simulator with every change, `local` belongs to this page. */
import { wordsOf } from "./texts.js";

const KEPT = "booth-phone";

const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");

export const local = {
  /** `guest`, `operators` or `sales`. */
  tab: "guest",
  guestId: kept.guestId,
  /** The guest's screen: `list` or `chat`. */
  view: "list",
  /** The token of a scanned code that waits for START. */
  start: undefined,
  /** Last message that was on the screen, by chat. */
  seen: kept.seen ?? {},
  /** Names of sticker sets by guest. */
  added: kept.added ?? {},
  anonymous: {},
};

export let remote;
export let online = true;
const listeners = new Set();

export function subscribe(listener) {
  listeners.add(listener);
}

/** Changes what belongs to this page and draws again. */
export function change(patch) {
  Object.assign(local, patch);
  const { guestId, seen, added } = local;
  localStorage.setItem(KEPT, JSON.stringify({ guestId, seen, added }));
  tell();
}

/** Listens to the simulator for as long as the page is open; the browser reconnects by itself. */
export function connect() {
  const source = new EventSource("/phone/events");
  source.onmessage = (event) => {
    remote = JSON.parse(event.data);
    online = true;
    if (!guest()) local.guestId = remote.guests[0]?.id;
    tell();
  };
  source.onerror = () => {
    online = false;
    tell();
  };
}

export function guest() {
  return remote?.guests.find((one) => one.id === local.guestId);
}

export function words() {
  return wordsOf(guest()?.lang ?? navigator.language.slice(0, 2));
}

/** The chat that the open tab is about; undefined before the first news. */
export function openChat() {
  if (!remote) return undefined;
  return local.tab === "guest" ? remote.chats[local.guestId] : remote[local.tab];
}

/** True when the chat has a message from somebody else that was not on the screen yet. */
export function hasNews(chat, ownId) {
  const last = chat?.messages.findLast((message) => message.from?.id !== ownId);
  return last !== undefined && last.message_id > (local.seen[chat.id] ?? 0);
}

export function markSeen(chat) {
  const last = chat.messages.at(-1)?.message_id;
  if (last === undefined || local.seen[chat.id] >= last) return;
  change({ seen: { ...local.seen, [chat.id]: last } });
}

function tell() {
  for (const listener of listeners) listener();
}
