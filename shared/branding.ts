/**
 * How kiosks look at this event, and the operators' PIN on them.
 *
 *     GET /kiosk/config          header X-Kiosk-Key when KIOSK_KEY is set
 *     → 200 {"look": "k3J…",     changes with everything below; the heartbeat's answer has it too
 *            "name": "Anna & Timur", "welcome": {"ru": "…", "uz": "…", "en": "…"},
 *            "colours": {"paper": "#fff4e6", "ink": "#2b1a40", "accent": "#c9245f"},
 *            "logo_url": "/outfit-pictures/….webp", "background_url": null,
 *            "pin": {"salt": "…", "sha256": "…"}}     hex SHA-256 of salt + PIN
 *
 * What is not set is null, and the kiosk's own look holds. The PIN's digest is given only to kiosks that know the
 * KIOSK_KEY: four digits are guessed from a digest in no time.
 */
import type { Database } from "bun:sqlite";
import { createHash, randomBytes } from "node:crypto";
import { audit } from "./audit.ts";
import { transact } from "./db.ts";
import { type Picture, storePicture } from "./pictures.ts";
import { Refusal, type Say } from "./refusal.ts";
import { getSetting, putSetting } from "./settings.ts";
import { type Lang, langs } from "./status.ts";

export type Colours = { paper: string; ink: string; accent: string };
export type Branding = {
  version: number;
  name: string | null;
  welcome: Record<Lang, string | null>;
  colours: Colours | null;
  logo: string | null;
  background: string | null;
  pin: { salt: string; sha256: string } | null;
};

const SETTING = "branding";
const PLAIN: Branding = {
  version: 0,
  name: null,
  welcome: { ru: null, uz: null, en: null },
  colours: null,
  logo: null,
  background: null,
  pin: null,
};

export const branding = (db: Database): Branding => getSetting<Branding>(db, SETTING) ?? PLAIN;

/** Names a look: another one means that kiosks have to ask again. */
export const lookOf = ({ version: _, ...look }: Branding) =>
  createHash("sha256").update(JSON.stringify(look)).digest("base64url").slice(0, 12);

/** Addresses of pictures that kiosks show beside those of outfits. */
export const brandingPictures = (db: Database) =>
  [branding(db).logo, branding(db).background].filter((address) => address !== null);

export type BrandingChange = Partial<Pick<Branding, "name" | "colours">> & {
  welcome?: Partial<Branding["welcome"]>;
  /** null takes it away. */
  logo?: Picture | null;
  background?: Picture | null;
  /** Four to eight digits; null takes it away. */
  pin?: string | null;
  version?: number;
};

/**
 * Stores what is given and leaves the rest. A save that changes nothing writes nothing.
 * @throws AppError `invalid` for colours that cannot be read, `conflict` when somebody saved meanwhile
 */
export function saveBranding(db: Database, change: BrandingChange, actor: string, now: number): boolean {
  if (change.colours) refuseUnreadable(change.colours);
  return transact(db, () => {
    const before = branding(db);
    const picture = (given: Picture | null | undefined, known: string | null) =>
      given === undefined ? known : given && storePicture(db, given, now);
    const after: Branding = {
      ...before,
      name: change.name === undefined ? before.name : change.name,
      welcome: { ...before.welcome, ...change.welcome },
      colours: change.colours === undefined ? before.colours : change.colours,
      logo: picture(change.logo, before.logo),
      background: picture(change.background, before.background),
      pin: change.pin === undefined || isPin(before.pin, change.pin) ? before.pin : hashed(change.pin),
    };
    if (JSON.stringify(before) === JSON.stringify(after)) return false;
    if (change.version !== undefined && change.version !== before.version)
      throw new Refusal("conflict", (t) => t.lookChanged);
    putSetting(db, SETTING, { ...after, version: before.version + 1 } satisfies Branding, now);
    audit(db, { actor, action: "kiosks' look", before: told(before), after: told(after, before), now });
    return true;
  });
}

const digest = (salt: string, pin: string) =>
  createHash("sha256")
    .update(salt + pin)
    .digest("hex");
const isPin = (known: Branding["pin"], pin: string | null) =>
  known === null || pin === null ? known === pin : known.sha256 === digest(known.salt, pin);

function hashed(pin: string | null): Branding["pin"] {
  if (pin === null) return null;
  const salt = randomBytes(8).toString("hex");
  return { salt, sha256: digest(salt, pin) };
}

/** Fit for the audit log: nobody may try PINs against it. */
const told = ({ version: _, pin, welcome, ...rest }: Branding, before?: Branding) => ({
  ...rest,
  ...Object.fromEntries(langs.map((lang) => [`welcome_${lang}`, welcome[lang]])),
  pin: pin && (before?.pin && before.pin.sha256 !== pin.sha256 ? "set anew" : "set"),
});

/** WCAG 2.2, 1.4.3: text of ordinary size. */
const READABLE = 4.5;
const WHITE = "#ffffff";

function refuseUnreadable({ paper, ink, accent }: Colours) {
  const faults: Record<string, Say> = {};
  const ratio = (a: string, b: string) => contrast(a, b).toFixed(1);
  if (contrast(ink, paper) < READABLE) faults.ink = (t) => t.inkUnreadable(ratio(ink, paper), READABLE);
  if (contrast(WHITE, accent) < READABLE) faults.accent = (t) => t.accentUnreadable(ratio(WHITE, accent), READABLE);
  if (Object.keys(faults).length > 0) throw new Refusal("invalid", (t) => t.unreadable, { sayFields: faults });
}

/** The contrast of two `#rrggbb` colours, from 1 to 21 (WCAG 2.2, “contrast ratio”). */
export function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
