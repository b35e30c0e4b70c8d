/**
 * What is wrong with the kiosks, as they tell it themselves. Looked at during an event alone. What ails many at once is
 * one problem: in a hall of twenty tablets nobody reads twenty sentences.
 */
import { hasCameraTrouble, isLow, isSilent, type Kiosk } from "../kiosks.ts";
import type { Lang } from "../status.ts";
import { team } from "../texts/operators/index.ts";
import type { CameraName, Trouble } from "../texts/operators/types.ts";
import type { Now } from "./now.ts";
import type { Problem } from "./problems.ts";
import { minutes } from "./words.ts";

/** More with one trouble are told together. */
const MANY = 3;
const NAMED = 5;

const troubles = ["silent", "camera", "battery", "awake"] as const;
type TroubleName = (typeof troubles)[number];

const ails: Record<TroubleName, (kiosk: Kiosk, at: number) => boolean> = {
  silent: isSilent,
  camera: hasCameraTrouble,
  battery: isLow,
  awake: ({ wake_lock }) => wake_lock === 0,
};
const levels: Record<TroubleName, Problem["level"]> = {
  silent: "red",
  camera: "red",
  battery: "amber",
  awake: "amber",
};

/** Whether this kiosk has this trouble, as it told last. */
export const hasTrouble = (kiosk: Kiosk, trouble: string, at: number) => ails[trouble as TroubleName]?.(kiosk, at);

/** `kiosk:hall-1:camera` → `kiosks:camera`, the group that may speak for it; null: none may. */
export const groupOf = (cause: string) => (cause.startsWith("kiosk:") ? `kiosks:${cause.split(":")[2]}` : null);
/** `kiosk:hall-1:camera` → `hall-1` */
export const kioskOf = (cause: string) => cause.split(":")[1] ?? "";

/** Some names, and how many more there are. */
export const named = (names: readonly string[], lang: Lang) =>
  team(lang).booth.names(names.slice(0, NAMED), Math.max(0, names.length - NAMED));

/** Is a trouble of this many of them told as one? All of several silent at once are the network's. */
export const isMany = (trouble: string, count: number, all: number) =>
  count > MANY || (trouble === "silent" && count > 1 && count === all);

export function kioskProblems({ kiosks: all, at, eventIsOn, maintenance }: Now, lang: Lang): Problem[] {
  if (!eventIsOn || maintenance) return [];
  // The worst of each alone: who is silent cannot tell of the rest.
  const worst = (kiosk: Kiosk) => troubles.find((trouble) => ails[trouble](kiosk, at));
  return troubles.flatMap((trouble) => {
    const those = all.filter((kiosk) => worst(kiosk) === trouble);
    const parts = those.map((kiosk) => problem(`kiosk:${kiosk.id}:${trouble}`, trouble, one(kiosk, trouble, at, lang)));
    if (!isMany(trouble, those.length, all.length)) return parts;
    return [{ ...problem(`kiosks:${trouble}`, trouble, many(those, trouble, all.length, lang)), parts }];
  });
}

function problem(cause: string, trouble: TroubleName, { what, todo, ending }: Trouble): Problem {
  const level = levels[trouble];
  // A screen that may sleep has not to be mended at once: the page says it, the chat does not.
  return trouble === "awake" ? { cause, level, what, todo } : { cause, level, what, todo, ending };
}

function one({ id, camera, battery, seen_at }: Kiosk, trouble: TroubleName, at: number, lang: Lang): Trouble {
  const texts = team(lang).booth;
  switch (trouble) {
    case "silent":
      return texts.kioskSilent(id, minutes(at - seen_at, lang));
    case "camera":
      return texts.camera(id, texts.cameras[camera as CameraName] ?? camera ?? "");
    case "battery":
      return texts.battery(id, Math.round((battery ?? 0) * 100));
    case "awake":
      return texts.awake(id);
  }
}

function many(those: readonly Kiosk[], trouble: TroubleName, all: number, lang: Lang): Trouble {
  const texts = team(lang).booth;
  if (trouble === "silent" && those.length === all) return texts.kiosksSilent(all);
  const ids = those.map(({ id }) => id);
  return texts.many[trouble](ids.length, named(ids, lang));
}
