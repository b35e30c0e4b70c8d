import { heroArt } from "./art.ts";
import type { Faults, FormState } from "./form.ts";
import { Html, html } from "./html.ts";
import { contactLinks, formSection } from "./page-form.ts";
import { SCRIPT } from "./script.ts";
import type { LandingSettings } from "./settings.ts";
import { STYLE } from "./style.ts";
import { LOCALE_NAMES, LOCALES, type Locale, TEXTS, type Texts } from "./texts/index.ts";

/** What went wrong with the last post: fields that broke a rule, or a message for the whole form. */
export type Notice = { faults?: Faults; message?: string };

type View = { locale: Locale; settings: LandingSettings };

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Ccircle cx='16' cy='16' r='15' fill='%23ffc53d'/%3E%3Cpath d='M9 13h3m8 0h3M9 19q7 8 14 0' stroke='%232a1b3d' stroke-width='3' fill='none' stroke-linecap='round'/%3E%3C/svg%3E";

/** The whole page with the form, empty or filled again. `today` is the earliest date that it offers. */
export function requestPage(view: View & { url: URL; form: FormState; notice: Notice; today: string }): Html {
  const texts = TEXTS[view.locale];
  return shell(view, view.url.search, "", [hero(texts), formSection(view)]);
}

/** What a delivered request leads to; without a `number` the request went by Telegram. */
export function thanksPage(view: View & { url: URL; number?: number }): Html {
  const texts = TEXTS[view.locale];
  const title = view.number ? texts.thanksNumbered(view.number) : texts.thanks;
  const section = html`<section id="request" class="card thanks" aria-labelledby="thanks">
<h2 id="thanks" tabindex="-1" autofocus data-focus>${title}</h2>
<p>${texts.thanksText}</p>
<p><a class="button quiet" href="/${view.locale}">${texts.another}</a></p>
</section>`;
  return shell(view, view.number ? `?n=${view.number}` : "", "/thanks", [hero(texts), section]);
}

export function missingPage(view: View): Html {
  const texts = TEXTS[view.locale];
  return shell(view, "", "", [
    html`<section class="card thanks"><h1>${texts.notFound}</h1><p><a class="button" href="/${view.locale}">${texts.home}</a></p></section>`,
  ]);
}

function hero(texts: Texts): Html {
  const [before, mark, after] = texts.headline;
  return html`<section class="hero" aria-labelledby="headline">
<h1 id="headline">${before}<span class="mark">${mark}</span>${after}</h1>
<p class="lead">${texts.lead}</p>
<p class="jump"><a class="button" href="#request">${texts.toForm}</a></p>
${heroArt(texts.art, texts.cheer)}
<h2 class="unseen">${texts.stepsTitle}</h2>
<ol class="steps">${texts.steps.map((step) => html`<li><h3>${step.title}</h3><p>${step.text}</p></li>`)}</ol>
</section>`;
}

function shell({ locale, settings }: View, query: string, path: string, content: Html[]): Html {
  const texts = TEXTS[locale];
  const language = (other: Locale) =>
    html`<li><a href="/${other}${path}${query}" lang="${other}" hreflang="${other}"${other === locale && html` aria-current="true"`}>${LOCALE_NAMES[other]}</a></li>`;
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<meta name="description" content="${texts.description}">
<meta property="og:title" content="${texts.title}">
<meta property="og:description" content="${texts.description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${new Html(ICON)}">
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#request">${texts.skip}</a>
<header>
<p class="brand">${texts.brand}</p>
<nav aria-label="${texts.languages}"><ul>${LOCALES.map(language)}</ul></nav>
</header>
<main>${content}</main>
<footer><p>${texts.footer} ${contactLinks(texts, settings)}</p></footer>
<script>${new Html(SCRIPT)}</script>
</body>
</html>`;
}

let headers: Promise<Record<string, string>> | undefined;

/** Headers of every page. Only this style and this script run here, known by their hashes; nothing foreign loads. */
export function pageHeaders(): Promise<Record<string, string>> {
  headers ??= (async () => ({
    "Content-Type": "text/html; charset=utf-8",
    // A page holds its own request_id: a stored copy would make the next request a repeat of the last.
    "Cache-Control": "no-store",
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src '${await sha256(STYLE)}'`,
      `script-src '${await sha256(SCRIPT)}'`,
      "img-src data:",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    // Not "no-referrer": browsers would then post the form with `Origin: null`.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  }))();
  return headers;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
