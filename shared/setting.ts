/** One setting's text: as its type, or as a sentence that says what is wrong with it. */
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { redact } from "./errors.ts";

export const providerNames = ["gemini", "openai", "offline"] as const;
export type ProviderName = (typeof providerNames)[number];

export type Setting = TSchema & {
  secret?: boolean;
  origin?: boolean;
  zone?: boolean;
  providers?: boolean;
  hint?: string;
};

/** Numbers are plain decimals: `true`, `0x50` and `1.5 packs` stay text, and fail their check. */
export function typed(setting: Setting, text: string): unknown {
  if (setting.anyOf) return setting.anyOf.find((s: TSchema) => String(s.const) === text)?.const ?? text;
  if (setting.type === "integer") return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (setting.type === "number") return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
  return text;
}

/** A value as its fault quotes it: a secret may have been pasted beside its place, or stand in an address. */
export const shown = (value: string) => redact(value.replace(/\/\/[^/@\s]*@/, "//…@")).slice(0, 80);

export const providersIn = (list: string) =>
  [...new Set(list.split(",").map((p) => p.trim()))].filter(Boolean) as ProviderName[];

/** @returns what breaks the setting's rule, after its name: "must be …" */
export function faultOf(setting: Setting, value: unknown): string | null {
  if (!Value.Check(setting, value)) {
    if (setting.hint) return `must be ${setting.hint}`;
    if (setting.anyOf) return `must be one of ${setting.anyOf.map((s: TSchema) => s.const).join(", ")}`;
    if (setting.type === "integer") return `must be a whole number from ${setting.minimum} to ${setting.maximum}`;
    if (setting.type === "number") return `must be a number from ${setting.minimum} to ${setting.maximum}`;
    return `must be ${setting.minLength ?? 1} to ${setting.maxLength} characters long`;
  }
  if (setting.origin && !isHttpUrl(String(value))) return "must be an http or https address without query";
  if (setting.zone && !isZone(String(value))) return "must be a time zone such as Asia/Tashkent";
  if (setting.providers) {
    const names = providersIn(String(value));
    const unknown = names.filter((n) => !providerNames.includes(n));
    if (unknown.length > 0 || names.length === 0) return `must list some of ${providerNames.join(", ")}`;
  }
  return null;
}

function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" && url.username === "";
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
