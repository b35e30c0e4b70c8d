/** Telegram's HTML mode (core.telegram.org/bots/api#html-style): text in, plain text and entities out. */
import { wrong } from "../errors.ts";
import type { TgEntity } from "../types.ts";

const tagTypes: Record<string, string> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  a: "text_link",
  code: "code",
  pre: "pre",
  span: "spoiler",
  "tg-spoiler": "spoiler",
  blockquote: "blockquote",
  "tg-emoji": "custom_emoji",
};
const namedCharacters: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };

export type Formatted = { text: string; entities: TgEntity[] };

/** Parses what a bot sent; `parseMode` is Telegram's. Only HTML and plain text are known here. */
export function format(source: string, parseMode: string | undefined): Formatted {
  if (parseMode === undefined || parseMode === "") return withLinks(trim({ text: source, entities: [] }));
  if (parseMode.toLowerCase() !== "html") wrong(`the simulator reads HTML only, not parse_mode "${parseMode}"`);
  return withLinks(trim(parseHtml(source)));
}

function parseHtml(source: string): Formatted {
  const open: { tag: string; at: number; from: number; attributes: string }[] = [];
  const entities: TgEntity[] = [];
  let text = "";
  let at = 0;
  while (at < source.length) {
    const character = source[at];
    if (character === "&") {
      const found = /^&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));?/i.exec(source.slice(at, at + 12));
      const plain = found ? decode(found) : undefined;
      text += plain ?? "&";
      at += found && plain !== undefined ? found[0].length : 1;
    } else if (character === "<") {
      const found = /^<(\/?)([a-zA-Z][a-zA-Z0-9-]*)?((?:\s+[^>]*)?)>/.exec(source.slice(at));
      if (!found)
        parseFault(
          source.includes(">", at)
            ? `Unsupported start tag "" at byte offset ${at}`
            : `Unclosed start tag at byte offset ${at}`,
        );
      const [whole, slash, name = "", attributes = ""] = found;
      const tag = name.toLowerCase();
      if (slash) {
        const start = open.pop();
        if (!start) parseFault(`Unexpected end tag at byte offset ${at}`);
        if (start.tag !== tag && tag !== "")
          parseFault(`Unmatched end tag at byte offset ${at}, expected "</${start.tag}>", found "</${tag}>"`);
        addEntity(entities, start, text.length);
      } else {
        if (!(tag in tagTypes)) parseFault(`Unsupported start tag "${tag}" at byte offset ${at}`);
        if (tag === "span" && !/class="tg-spoiler"/.test(attributes))
          parseFault(`Tag "span" must have class "tg-spoiler" at byte offset ${at}`);
        open.push({ tag, at, from: text.length, attributes });
      }
      at += whole.length;
    } else {
      text += character;
      at += 1;
    }
  }
  const left = open.at(-1);
  if (left) parseFault(`Can't find end tag corresponding to start tag "${left.tag}"`);
  entities.sort((a, b) => a.offset - b.offset || b.length - a.length);
  return { text, entities };
}

function parseFault(detail: string): never {
  return wrong(`can't parse entities: ${detail}`);
}

function decode(found: RegExpExecArray): string | undefined {
  const [, decimal, hex, name] = found;
  if (name !== undefined) return namedCharacters[name.toLowerCase()];
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? "", 16);
  return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : undefined;
}

function addEntity(entities: TgEntity[], start: { tag: string; from: number; attributes: string }, end: number) {
  const length = end - start.from;
  if (length === 0) return;
  const entity: TgEntity = { type: tagTypes[start.tag] ?? start.tag, offset: start.from, length };
  const href = /href="([^"]*)"|href='([^']*)'/.exec(start.attributes);
  if (start.tag === "a") {
    const url = (href?.[1] ?? href?.[2] ?? "").replaceAll("&amp;", "&").replaceAll("&quot;", '"');
    if (url === "") return;
    entity.url = url;
  }
  entities.push(entity);
}

/** Telegram drops white space around a text and moves the entities along. */
function trim({ text, entities }: Formatted): Formatted {
  const lead = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const kept = entities.map((entity) => {
    const from = Math.max(0, entity.offset - lead);
    const to = Math.min(trimmed.length, entity.offset + entity.length - lead);
    return { ...entity, offset: from, length: to - from };
  });
  return { text: trimmed, entities: kept.filter((entity) => entity.length > 0) };
}

const automatic: [type: string, pattern: RegExp][] = [
  ["url", /https?:\/\/[^\s<>"]+[^\s<>".,!?:;)]/g],
  ["bot_command", /(?<![\w/])\/[a-z0-9_]{1,32}(?:@\w+)?/gi],
  ["mention", /(?<!\w)@[a-z]\w{3,31}/gi],
];

/** Addresses, commands and mentions become entities by themselves, outside links and code. */
export function withLinks({ text, entities }: Formatted): Formatted {
  const taken = entities.filter((entity) => ["text_link", "code", "pre"].includes(entity.type));
  const all = [...entities];
  for (const [type, pattern] of automatic)
    for (const match of text.matchAll(pattern)) {
      const entity = { type, offset: match.index, length: match[0].length };
      if (taken.some((other) => overlap(other, entity))) continue;
      taken.push(entity);
      all.push(entity);
    }
  return { text, entities: all.sort((a, b) => a.offset - b.offset || b.length - a.length) };
}

function overlap(a: TgEntity, b: TgEntity): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}
