/**
 * The phone page of the demo: `/phone`, its files, the stream of what it shows, and the deep link that a scanned
 * code opens. What its buttons do goes through control.ts.
 */
import { join } from "node:path";
import { isLocal } from "./control.ts";
import type { Sim } from "./sim.ts";
import { commandKey } from "./telegram/rest.ts";
import type { Command, SimChat } from "./telegram/world.ts";

const folder = join(import.meta.dir, "phone");
const types: Record<string, string> = {
  html: "text/html",
  css: "text/css",
  js: "text/javascript",
  svg: "image/svg+xml",
};
const LOG_LINES = 40;
const PRESSES_SHOWN = 30;
/** Changes that come together are shown together. */
const GATHER_MS = 30;
const HEARTBEAT_MS = 20_000;
const policy = "default-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'";

/** Undefined when the path is none of the phone's. */
export function servePhone(
  sim: Sim,
  request: Request,
  path: string,
  signal: AbortSignal,
): Promise<Response> | undefined {
  if (request.method !== "GET") return undefined;
  if (path === "/") return Promise.resolve(Response.redirect("/phone"));
  if (path === "/phone") return file("index.html");
  if (path === "/phone/events") return Promise.resolve(events(sim, request, signal));
  const asset = /^\/phone\/([a-z-]+\.(?:css|js|svg))$/.exec(path)?.[1];
  if (asset) return file(asset);
  const stored = sim.world.files.get(/^\/phone\/files\/(\w+)$/.exec(path)?.[1] ?? "");
  if (stored) return Promise.resolve(new Response(stored.bytes.slice(), { headers: { "content-type": stored.mime } }));
  if (path.toLowerCase() === `/${sim.botUsername.toLowerCase()}`) return Promise.resolve(deepLink(request));
  return undefined;
}

/** What a phone does with a scanned code: the chat with the bot opens and offers START. */
function deepLink(request: Request): Response {
  const token = new URL(request.url).searchParams.get("start") ?? "";
  const start = /^[\w-]{1,64}$/.test(token) ? `?start=${token}` : "";
  return new Response(null, { status: 302, headers: { location: `/phone${start}` } });
}

async function file(name: string): Promise<Response> {
  const found = Bun.file(join(folder, name));
  if (!(await found.exists())) return new Response("Not found", { status: 404 });
  const type = types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  return new Response(found, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-security-policy": policy,
      "cache-control": "no-store",
    },
  });
}

/** Server-sent events: the whole picture at once, and again after every change. */
function events(sim: Sim, request: Request, signal: AbortSignal): Response {
  if (!isLocal(request)) return new Response("Forbidden", { status: 403 });
  const encoder = new TextEncoder();
  let stop = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      let gathering: Timer | undefined;
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const show = () => {
        gathering = undefined;
        send(`data: ${JSON.stringify(picture(sim))}\n\n`);
      };
      const unlisten = sim.onChange(() => {
        gathering ??= setTimeout(show, GATHER_MS);
      });
      const heartbeat = setInterval(() => send(": still here\n\n"), HEARTBEAT_MS);
      stop = () => {
        unlisten();
        clearTimeout(gathering);
        clearInterval(heartbeat);
      };
      signal.addEventListener("abort", () => {
        stop();
        try {
          controller.close();
        } catch {
          // The browser has gone first.
        }
      });
      show();
    },
    cancel: () => stop(),
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

/** Everything that the page draws from. */
function picture(sim: Sim) {
  const { world } = sim;
  const groups = [...world.chats.values()].filter(({ chat }) => chat.type !== "private");
  const staff = new Set(groups.flatMap(({ members }) => [...members.keys()]));
  const guests = [...world.users.values()].filter((user) => !user.is_bot && !staff.has(user.id));
  const lang = new Map(guests.map((guest) => [guest.id, guest.language_code ?? "en"]));
  return {
    bot: { id: world.bot.id, name: world.bot.first_name, username: sim.botUsername },
    guests: guests.map(({ id, first_name, language_code, username }) => {
      return { id, name: first_name, lang: language_code, username };
    }),
    operators: groupView(sim, sim.operatorsChatId),
    sales: groupView(sim, sim.salesChatId),
    chats: Object.fromEntries(
      guests.flatMap(({ id }) => {
        const chat = world.chats.get(id);
        return chat ? [[id, chatView(sim, chat, lang.get(id) ?? "en")]] : [];
      }),
    ),
    sets: Object.fromEntries(
      sim.sets.map(({ name, title, stickers }) => [
        name,
        { title, stickers: stickers.map(({ fileId, emoji }) => ({ fileId, emoji: emoji.join(" ") })) },
      ]),
    ),
    presses: [...world.presses.values()].slice(-PRESSES_SHOWN),
    calls: sim.calls
      .map((call, index) => ({ call, index }))
      .filter(({ call }) => call.target !== "telegram:getUpdates")
      .slice(-LOG_LINES)
      .map(({ call: { target, params, outcome, ms, at }, index }) => {
        return { index, target, chat: params.chat_id ?? params.name ?? params.path, outcome, ms, at };
      }),
  };
}

function groupView(sim: Sim, id: number) {
  let chat = sim.world.chats.get(id);
  while (chat?.movedTo !== undefined) chat = sim.world.chats.get(chat.movedTo);
  if (!chat) return undefined;
  const [memberId] = chat.members.keys();
  const member = sim.world.users.get(memberId ?? 0);
  return { ...chatView(sim, chat, ""), member: member && { id: member.id, name: member.first_name } };
}

function chatView(sim: Sim, { chat, messages, botStatus, action }: SimChat, lang: string) {
  const { id, title, type } = chat;
  return { id, title, type, botStatus, action, messages, commands: commandsFor(sim, chat.id, chat.type, lang) };
}

/** The narrowest list of commands that fits (core.telegram.org/bots/api#determining-list-of-commands). */
function commandsFor(sim: Sim, chatId: number, type: string, language_code: string): Command[] {
  const scopes = [
    { type: "chat", chat_id: chatId },
    { type: type === "private" ? "all_private_chats" : "all_group_chats" },
    { type: "default" },
  ];
  for (const scope of scopes)
    for (const language of [language_code, ""]) {
      const found = sim.world.commands.get(commandKey({ scope, language_code: language }));
      if (found && found.length > 0) return found;
    }
  return [];
}
