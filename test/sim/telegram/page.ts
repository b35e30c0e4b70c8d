/** The web pages of t.me that the product meets: a sticker set's page. */
import type { SimFile } from "../types.ts";
import type { World } from "./world.ts";

/**
 * `/addstickers/<name>`. Programs read it by the marks that t.me's own page bears (`tgme_page_title` and a
 * `tg://addstickers` link when the set is there, a sentence of regret when not); people see the stickers.
 */
export function addStickersPage(world: World, name: string, hidden: boolean): Response {
  const set = hidden ? undefined : world.sets.get(name.toLowerCase());
  if (!set) {
    const sorry = "Sorry, this sticker set doesn't seem to exist.";
    return page("Telegram", sorry, `<div class="tgme_page_description">${sorry}</div>`);
  }
  const title = escapeHtml(set.title);
  const pictures = set.stickers.map((sticker) => {
    const file = world.files.get(sticker.fileId);
    return file ? `<img src="${phoneFile(file)}" alt="${escapeHtml(sticker.emoji.join(" "))}" loading="lazy">` : "";
  });
  return page(
    title,
    `Sticker set “${title}”`,
    `<div class="tgme_page_title"><span dir="auto">${title}</span></div>
    <div class="tgme_page_extra">${set.stickers.length} stickers</div>
    <div class="stickers">${pictures.join("")}</div>
    <div class="tgme_page_action"><a class="tgme_action_button_new" href="tg://addstickers?set=${set.name}">Add Stickers</a></div>`,
  );
}

/** Where the phone page and the set's page load a file from. */
export function phoneFile(file: SimFile): string {
  return `/phone/files/${file.fileId}`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(title: string, description: string, body: string): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><meta property="og:title" content="${title}"><meta property="og:description" content="${description}">
<link rel="icon" href="/phone/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/phone/tokens.css"><link rel="stylesheet" href="/phone/stage.css">
<link rel="stylesheet" href="/phone/pack.css"></head>
<body class="pack-page"><div class="tgme_page">${body}</div></body></html>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } });
}
