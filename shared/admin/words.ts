/** What a status or a problem means, in the operators' words: what happened, and what to do about it. */

export type Words = { what: string; todo: string };

const problems: Record<string, Words> = {
  refused: {
    what: "the artist's safety rules refused the photo",
    todo: "Ask the guest for another photo; a retry is refused again.",
  },
  bad_sheet: { what: "three drawings in a row came out badly", todo: "Retry: it is drawn anew." },
  providers_down: { what: "no artist answered", todo: "Check keys, balance and the network, then retry." },
  worker_died: {
    what: "an error of ours came again and again",
    todo: "Retry: it goes on from the last finished step. If it fails again, look into the log.",
  },
  pack_refused: { what: "Telegram refused the sticker set", todo: "Retry; the finished stickers are used again." },
  photo_gone: { what: "the photo is no longer on disk", todo: "The guest has to come to the kiosk again." },
  cancelled: { what: "an operator cancelled it", todo: "The guest may start again at the kiosk." },
  erased: { what: "the guest erased their data", todo: "Nothing to do." },
  no_face: { what: "no face was found in the selfie", todo: "The guest was asked for another photo." },
  many_faces: { what: "several people were in the selfie", todo: "The guest was asked for another photo." },
  too_dark: {
    what: "the selfie was too dark",
    todo: "The guest was asked for another photo. Is there light at the kiosk?",
  },
  blurred: { what: "the selfie was blurred", todo: "The guest was asked for another photo. Is the camera clean?" },
  face_hidden: { what: "the face was hidden", todo: "The guest was asked for another photo." },
  not_a_photo: { what: "the picture showed no person", todo: "The guest was asked for another photo." },
  timeout: { what: "the visit ran out of time", todo: "The guest may start again at the kiosk." },
  reset: { what: "the visit was ended at the kiosk or by a new one", todo: "The guest may start again at the kiosk." },
  declined: { what: "the guest did not agree to the photo", todo: "Nothing to do." },
  pack_limit: { what: "the guest has had today's packs", todo: "Raise PACK_LIMIT in Settings to allow more." },
  stopped: { what: "the bot was stopped meanwhile", todo: "It goes on by itself." },
  error: { what: "a step met an error", todo: "It is tried again by itself." },
};

/** A problem in words; an unknown one stands for itself. */
export const wordsOf = (problem: string | null): Words | null =>
  problem === null ? null : (problems[problem] ?? { what: problem.replaceAll("_", " "), todo: "" });

/** Problems of a selfie: the guest was sent back to the camera, which is no failure. */
export const isRetake = (problem: string | null) =>
  problem !== null && ["no_face", "many_faces", "too_dark", "blurred", "face_hidden", "not_a_photo"].includes(problem);

/** `3 min`, `5 h` */
export function minutes(ms: number): string {
  const n = Math.max(1, Math.round(ms / 60_000));
  return n < 120 ? `${n} min` : `${Math.round(n / 60)} h`;
}

export const dollars = (usd: number) => `$${usd.toFixed(2)}`;
