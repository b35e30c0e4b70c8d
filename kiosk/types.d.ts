/** The kiosk's types. They weigh nothing here: tablets never fetch this file. */
import type { Lang } from "./texts.js";

export type { Face } from "./faces/find.js";

/** Where a visit is, in the api's words. */
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

/** Each `#rrggbb`. */
export type Colours = { paper: string; ink: string; accent: string };

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

export type Screen =
  | "start"
  | "qr"
  | "consent"
  | "outfits"
  | "camera"
  | "review"
  | "sending"
  | "again"
  | "phone"
  | "message";

/** How a visit ends, or why none begins. */
export type Ending =
  | "timeout"
  | "declined"
  | "reset"
  | "blocked"
  | "failed"
  | "maintenance"
  | "not_ready"
  | "busy"
  | "unpaired"
  | "server";

/** What guests are told of the camera. */
export type CameraState = "starting" | "live" | "lost" | "busy" | "denied" | "none";

/** What operators are told of it. */
export type Condition = "off" | "starting" | "ok" | "busy" | "blocked" | "missing" | "frozen" | "black" | "error";

export type Photo = { blob: Blob; url: string; forget: () => void };

export type Box = { x: number; y: number; width: number; height: number };

/** What the picture itself tells before the shot. */
export type Hint = "dark" | "bright" | "blurred" | "moving" | "ready";

/** What the faces in it tell. */
export type Framing = "nobody" | "several" | "far" | "near" | "aside" | "ready";

/** https://www.w3.org/TR/battery-status/ */
export type Battery = { level: number; charging: boolean };
