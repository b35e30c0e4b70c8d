/** English: what the audit log says happened. */

import { because } from "../because.ts";
import type { AuditTexts } from "../types.ts";

const limit = (usd: string | null) => usd ?? "no limit";

export const audit: AuditTexts = {
  paused: (reason) => `The booth was paused${because(reason)}.`,
  opened: "The booth was opened again.",
  budget: (before, after) => `Today's AI budget was changed from ${limit(before)} to ${limit(after)}.`,
  settings: (changes) =>
    `Settings were changed: ${changes.map(([name, before, after]) => `${name} from ${before} to ${after}`).join(", ")}.`,
  usualValue: "the server's value",
  retry: (pack) => `Pack ${pack} was given another try.`,
  cancel: (pack) => `Pack ${pack} was stopped.`,
  lead: (number, before, after) => `Lead ${number} was changed from ${before} to ${after}.`,
  outfitAdded: (id) => `The outfit “${id}” was added.`,
  outfitChanged: (id, fields) => `The outfit “${id}” was changed: ${fields.join(", ")}.`,
  outfitSwitched: (id, on) => `The outfit “${id}” was ${on ? "shown on the kiosk" : "hidden from the kiosk"}.`,
  outfitDeleted: (id) => `The outfit “${id}” was deleted.`,
  outfitsOrdered: "The outfits were put into another order.",
  look: (fields) => `The kiosks' look was changed: ${fields.join(", ")}.`,
  kioskRemoved: (id) => `Kiosk ${id} was taken off the list.`,
  tryout: (outfit) => `The outfit “${outfit}” was tried on a photo.`,
  on: "shown",
  off: "hidden",
  isThere: "set",
  fields: {
    title_ru: "Russian title",
    title_uz: "Uzbek title",
    title_en: "English title",
    prompt: "prompt",
    colours: "colours",
    image: "picture",
    enabled: "on the kiosk",
    name: "the event's name",
    welcome_ru: "Russian welcome",
    welcome_uz: "Uzbek welcome",
    welcome_en: "English welcome",
    logo: "logo",
    background: "background",
    pin: "PIN",
  },
};
