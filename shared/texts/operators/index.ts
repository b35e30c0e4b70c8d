/** The operators' texts in each language. */
import type { Lang } from "../../status.ts";
import { en } from "./en.ts";
import { ru } from "./ru.ts";
import type { TeamTexts } from "./types.ts";
import { uz } from "./uz.ts";

const texts: Record<Lang, TeamTexts> = { en, ru, uz };

/** What the team reads, in its language or in the one that a browser asked for. */
export const team = (lang: Lang): TeamTexts => texts[lang];
