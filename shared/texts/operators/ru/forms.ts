/** The forms that Russian nouns and verbs take after a whole number. */

const rules = new Intl.PluralRules("ru");

/** 1 набор, 2 набора, 5 наборов: the word alone. */
export function form(n: number, one: string, few: string, many: string): string {
  const rule = rules.select(n);
  return rule === "one" ? one : rule === "few" ? few : many;
}

export const packs = (n: number) => `${n} ${form(n, "набор", "набора", "наборов")}`;
export const guests = (n: number) => `${n} ${form(n, "гость", "гостя", "гостей")}`;
/** сегодня стикеры получил 1 гость, получили 2 гостя */
export const gotStickers = (n: number) => `сегодня стикеры ${form(n, "получил", "получили", "получили")} ${guests(n)}.`;
