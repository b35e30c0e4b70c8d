/** What the api answers the kiosk. Types weigh nothing here: tablets never fetch this file. */
import type { Colours } from "./palette.js";
import type { Lang } from "./texts.js";

export type Status =
  | "created"
  | "linked"
  | "consented"
  | "template_chosen"
  | "photo_taken"
  | "done"
  | "failed"
  | "expired"
  | "blocked";

export type Session = {
  token: string;
  status: Status;
  lang?: Lang | null;
  guest_name?: string | null;
  deep_link: string;
  queue_position?: number | null;
  eta_seconds?: number | null;
  problem?: string | null;
  /** Until the server ends the session by itself, by the server's own clock; null when that is not known. */
  left_ms: number | null;
};

export type Template = { id: string; title: string; image_url: string };

/** An event's look. What is not set is empty. */
export type Look = {
  look: string;
  name: string;
  welcome: Record<Lang, string>;
  colours: Colours | null;
  logo: string;
  background: string;
  pin: { salt: string; sha256: string } | null;
};
