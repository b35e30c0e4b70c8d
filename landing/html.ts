/** Markup that is safe to put into a page as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | false | null | undefined | Part[];

/** Builds markup; every value that is not `Html` is escaped, for text and for quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(strings.map((text, at) => text + (at < values.length ? render(values[at]) : "")).join(""));
}

function render(part: Part): string {
  if (Array.isArray(part)) return part.map(render).join("");
  if (part instanceof Html) return part.text;
  if (part === false || part === null || part === undefined) return "";
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
