import { EVENT_TYPES, FIELD_NAMES, type FormState } from "./form.ts";
import { type Html, html } from "./html.ts";
import type { Notice } from "./page.ts";
import type { LandingSettings } from "./settings.ts";
import { type FieldName, type Locale, TEXTS, type Texts } from "./texts/index.ts";

/** Far above the rules, so that a long text is kept and told about rather than cut in silence or refused whole. */
const INPUT_MAXLENGTH = 300;
const COMMENT_MAXLENGTH = 6000;

type FormView = { locale: Locale; form: FormState; notice: Notice; today: string; settings: LandingSettings };

/** Where people are reached when the form fails, or when a visitor would rather talk. */
export function contactLinks(texts: Texts, { phone, telegram }: LandingSettings): Html {
  const call =
    phone && html`<a href="tel:${phone.replace(/[^\d+]/g, "")}">${texts.call}: <span class="whole">${phone}</span></a>`;
  const write =
    telegram &&
    html`<a href="https://t.me/${telegram}" rel="noopener">${texts.write}: <span class="whole">@${telegram}</span></a>`;
  return html`<span class="contacts">${call} ${write}</span>`;
}

/** The form with all that `form` holds; `notice` says what is wrong with it, next to the fields and above them. */
export function formSection({ locale, form, notice, today, settings }: FormView): Html {
  const texts = TEXTS[locale];
  const faults = notice.faults ?? {};
  const field = (name: FieldName, control: (attributes: Html) => Html, hint?: string): Html => {
    const fault = faults[name];
    const described = [hint && `${name}-hint`, fault && `${name}-error`].filter(Boolean).join(" ");
    const attributes = html`id="${name}" name="${name}"${described && html` aria-describedby="${described}"`}${fault && html` aria-invalid="true"`}`;
    return html`<div class="field ${name}"><label for="${name}">${texts.labels[name]}</label>
${control(attributes)}
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault && html`<p class="error" id="${name}-error">${texts.errors[fault]}</p>`}</div>`;
  };
  const input = (name: FieldName, extra: Html, hint?: string) =>
    field(
      name,
      (attributes) => html`<input ${attributes} value="${form.fields[name]}" maxlength="${INPUT_MAXLENGTH}" ${extra}>`,
      hint,
    );
  const option = (type: (typeof EVENT_TYPES)[number]) =>
    html`<option value="${type}"${form.fields.event_type === type && html` selected`}>${texts.events[type]}</option>`;
  const hidden = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}" autocomplete="off">`;

  return html`<section id="request" class="card" aria-labelledby="request-title">
<h2 id="request-title">${texts.formTitle}</h2>
<p>${texts.formLead} ${texts.required}</p>
${summary(texts, notice, settings)}
<div class="notice" id="offline" role="alert" tabindex="-1" hidden><p>${texts.offline}</p>${contactLinks(texts, settings)}</div>
<form id="form" method="post" action="/${locale}#request" novalidate data-sending="${texts.sending}">
${hidden("request_id", form.requestId)}${hidden("locale", locale)}${hidden("page", form.page)}
${Object.entries(form.utm).map(([key, value]) => hidden(key, value))}
${input("name", html`required autocomplete="name"`)}
${input("contact", html`required autocapitalize="none"`, texts.contactHint)}
${field("event_type", (attributes) => html`<select ${attributes}><option value="">${texts.eventNone}</option>${EVENT_TYPES.map(option)}</select>`)}
${input("event_date", html`type="date" min="${today}" max="2099-12-31"`)}
${input("guests", html`inputmode="numeric" autocomplete="off"`)}
${input("city", html`autocomplete="address-level2"`)}
${field("comment", (attributes) => html`<textarea ${attributes} rows="2" maxlength="${COMMENT_MAXLENGTH}">\n${form.fields.comment}</textarea>`)}
<div class="website" aria-hidden="true"><label for="website">${texts.honeypot}</label><input id="website" name="website" tabindex="-1" autocomplete="off"></div>
<button class="button">${texts.submit}</button>
<p class="hint">${texts.privacy}</p>
</form>
</section>`;
}

function summary(texts: Texts, { faults = {}, message }: Notice, settings: LandingSettings): Html | false {
  if (message)
    return html`<div class="notice" role="alert" tabindex="-1" autofocus data-focus><p>${message}</p>${contactLinks(texts, settings)}</div>`;
  const faulty = FIELD_NAMES.filter((name) => faults[name]);
  if (faulty.length === 0) return false;
  const link = (name: FieldName) => html`<li><a href="#${name}">${texts.labels[name]}</a></li>`;
  return html`<div class="notice" role="alert" tabindex="-1" autofocus data-focus><p>${texts.errorsTitle}</p><ul>${faulty.map(link)}</ul></div>`;
}
