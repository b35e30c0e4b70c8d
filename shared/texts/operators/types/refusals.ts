/** Refusals in words: their shapes. */
import type { JobStatus, LeadStatus } from "../../../status.ts";

/** What a change or a question was refused with. A field's sentence follows its name: “must be …”. */
export type RefusalTexts = {
  /** By the error's code, for what has no sentence of its own here. */
  codes: Record<GeneralCode, string>;
  logIn: string;
  lockedOut(minutes: number): string;
  fromElsewhere: string;
  /** Of a picture or a photo, by the code of its fault. @param english what the fault itself says */
  picture(code: PictureFault, english: string): string;
  pictureUnusable: string;
  photoUnusable: string;
  pictureTooLarge: string;
  jsonTooLarge: string;
  pictureGone: string;
  largerThan10Mb: string;
  badList: string;
  noPack(id: number): string;
  noSuchPack: string;
  notFailed(id: number, status: JobStatus): string;
  photoGone(id: number): string;
  notStoppable(id: number, status: JobStatus): string;
  noLead(number: number): string;
  leadMoved(number: number, status: LeadStatus): string;
  leadChanged(number: number, status: LeadStatus, by: string | null): string;
  noOutfit(id: string): string;
  lastOutfit: string;
  outfitExists(id: string): string;
  tooManyOutfits(max: number): string;
  outfitChanged: string;
  outfitsChanged: string;
  outfitInUse: string;
  unknownOutfit: string;
  noneOfTheOutfits: string;
  noTryout: string;
  tooManyTryouts(max: number): string;
  lookChanged: string;
  coloursTogether: string;
  colourMissing: string;
  unreadable: string;
  /** @param ratio of contrast as it is, and as it has to be */
  inkUnreadable(ratio: string, needed: number): string;
  accentUnreadable(ratio: string, needed: number): string;
  badSettings: string;
  settingsChanged: string;
  fixedSetting: string;
  settingNumber: string;
  budgetOfNothing: string;
  moreThanNothing: string;
  badBudget: string;
  dollars(max: number): string;
  missing: string;
  text(max: number): string;
  textUpTo(max: number): string;
  upTo(max: number): string;
  yesOrNo: string;
  oneOf(values: readonly string[]): string;
  wholeNumber(min: number, max: number): string;
  number(min: number, max: number): string;
  colour: string;
  colours(max: number): string;
  pictureBytes: string;
  photoBytes: string;
  pin: string;
  /** A save that says what it was made from. */
  version: Record<"look" | "outfit" | "settings", string>;
  outfitId: string;
  outfitIds: string;
  nameOutfit: string;
};

export type GeneralCode =
  | "bad_request"
  | "not_found"
  | "method_not_allowed"
  | "too_large"
  | "not_json"
  | "invalid"
  | "busy"
  | "disk_full"
  | "storage"
  | "internal";
export type PictureFault = "too_large" | "not_an_image" | "bad_image";
