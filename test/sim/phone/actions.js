/** What fingers do, told to the simulator. */
import { change, guest, local, openChat, remote, words } from "./store.js";
import { alertBox, toast } from "./toast.js";

/** Presses whose answer the bot still owes, by id; the value is told the answer. */
const owed = new Map();
const ANSWER_MS = 15_000;
const FIRST_GUEST_ID = 7001;

async function act(action, ...args) {
  const answer = await fetch("/sim/do", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ action, args }),
  }).catch(() => undefined);
  const body = await answer?.json().catch(() => undefined);
  if (answer?.ok) return body.result;
  toast(body?.error ? `${words().failed} ${body.error}` : words().reconnecting);
  return undefined;
}

/** Says it in the open chat, as whoever holds the phone. */
export async function say(text) {
  const said = text.trim();
  if (said === "") return;
  if (local.tab === "guest") {
    change({ start: undefined, view: "chat" });
    await act("guestSays", local.guestId, said);
  } else {
    const chat = openChat();
    await act("operatorSays", chat.id, chat.member?.id ?? 1, said, { anonymous: local.anonymous[local.tab] === true });
  }
}

export async function sendPhoto(file) {
  await act("guestSendsPhoto", local.guestId, await bytesOf(file));
}

/** The same, byte by byte, as Telegram's "send as a file" does. */
export async function sendFile(file) {
  const type = file.type || "application/octet-stream";
  await act("guestSendsFile", local.guestId, await bytesOf(file), file.name, type);
}

/** A sticker of the guest's newest pack, or Telegram's own heart. */
export async function sendSticker() {
  const name = (local.added[local.guestId] ?? []).at(-1);
  const fileId = remote.sets[name]?.stickers[0]?.fileId;
  await act("guestSendsSticker", local.guestId, ...(fileId ? [fileId] : []));
}

async function bytesOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return { base64: btoa(text) };
}

/** Presses a button under a message; resolves when the bot has answered or is given up. */
export async function press(message, data) {
  const chat = openChat();
  const where = { messageId: message.message_id };
  const pressed =
    local.tab === "guest"
      ? await act("guestPresses", local.guestId, data, where)
      : await act("operatorPresses", chat.id, chat.member?.id ?? 1, data, where);
  if (!pressed) return;
  await new Promise((resolve) => {
    owed.set(pressed.id, resolve);
    setTimeout(resolve, ANSWER_MS);
    settlePresses();
  });
  owed.delete(pressed.id);
}

/** Shows the bot's answers to presses made here; called after every piece of news. */
export function settlePresses() {
  for (const { id, answers } of remote?.presses ?? []) {
    const [answer] = answers;
    const settle = owed.get(id);
    if (!answer || !settle) continue;
    owed.delete(id);
    if (answer.text && answer.alert) alertBox(answer.text);
    else if (answer.text) toast(answer.text);
    settle();
  }
}

export async function setBlocked(blocked) {
  await act(blocked ? "guestBlocks" : "guestUnblocks", local.guestId);
}

export async function setLanguage(lang) {
  await act("guest", local.guestId, { lang });
}

export async function addGuest(name, lang) {
  const ids = remote.guests.map((one) => one.id);
  const id = Math.max(FIRST_GUEST_ID - 1, ...ids) + 1;
  if (await act("guest", id, { name, lang })) change({ guestId: id, tab: "guest" });
}

/** Adds a set to the guest's stickers, or takes it away. */
export function keepPack(name, keep) {
  const id = guest()?.id;
  const others = (local.added[id] ?? []).filter((one) => one !== name);
  change({ added: { ...local.added, [id]: keep ? [...others, name] : others } });
}

/** Follows an address from a chat: sticker sets and the bot's own links open on the phone, others in the browser. */
export function openLink(address, openPack) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return;
  const pack = /^\/addstickers\/(\w+)$/.exec(url.pathname)?.[1];
  if (pack && url.origin === location.origin) openPack(pack);
  else if (startToken(address)) change({ tab: "guest", view: "chat", start: startToken(address) });
  else window.open(url.href, "_blank", "noopener");
}

/** The token in a deep link of the bot, or in nothing but a token. */
export function startToken(text) {
  const link = text.trim();
  if (/^[\w-]{22,48}$/.test(link)) return link;
  if (!URL.canParse(link)) return undefined;
  const url = new URL(link);
  const ours = url.origin === location.origin && url.pathname.toLowerCase() === `/${remote.bot.username.toLowerCase()}`;
  const token = url.searchParams.get("start") ?? "";
  return ours && /^[\w-]{1,64}$/.test(token) ? token : undefined;
}
