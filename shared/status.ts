/** Languages the product speaks, the first being the default. */
export const langs = ["ru", "uz", "en"] as const;
export type Lang = (typeof langs)[number];
