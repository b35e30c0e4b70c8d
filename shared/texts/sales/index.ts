/** The sales desk's texts in each language. */
import type { Lang } from "../../status.ts";
import { en } from "./en.ts";
import { ru } from "./ru.ts";
import type { SalesTexts } from "./types.ts";
import { uz } from "./uz.ts";

export type { SalesTexts, Who } from "./types.ts";

const texts: Record<Lang, SalesTexts> = { en, ru, uz };

/** What the sales people read, in the team's language. */
export const sales = (lang: Lang): SalesTexts => texts[lang];
