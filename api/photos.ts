/** Receiving a photo: read within bounds, judged, stored, and turned into a job exactly once. */
import { join } from "node:path";
import { transact } from "../shared/db.ts";
import { AppError } from "../shared/errors.ts";
import { removeFile, sessionDir } from "../shared/files.ts";
import { gate } from "../shared/gate.ts";
import { selfieInUse } from "../shared/jobs.ts";
import { hashOf, MAX_PHOTO_BYTES, readPhoto, storePhoto } from "../shared/photos.ts";
import { findSession, keepPhotoAnswer, type Session, takePhoto } from "../shared/sessions.ts";
import { photoTaken } from "../shared/texts/index.ts";
import { bytesWithin } from "./body.ts";
import type { ApiContext } from "./context.ts";
import { MAX_UPLOAD_BYTES, PHOTO_TOO_LARGE } from "./guard.ts";
import { sessionView } from "./session-view.ts";

/** A 50-megapixel photo is 150 MB once decoded. */
const DECODED_AT_ONCE = 2;
const decoding = gate(DECODED_AT_ONCE);

/**
 * @returns the session as the kiosk sees it; for a photo that was already accepted, the same answer as then
 * @throws AppError `wrong_status`, `too_large`, `not_an_image`, `bad_image`, `invalid`; the session stays as it was
 */
export async function receivePhoto(
  context: ApiContext,
  session: Session,
  request: Request,
  wrongStatus: (s: Session) => AppError,
) {
  const { db, config, now, telegram, log } = context;
  const bytes = await photoIn(request);
  const sha256 = hashOf(bytes);
  const known = answerTo(session, sha256);
  if (session.status !== "template_chosen") {
    if (known) return known;
    throw wrongStatus(session);
  }

  const photo = await decoding(() => readPhoto(bytes));
  const file = storePhoto(config.DATA_DIR, session.token, photo);
  const taken = transact(db, () => {
    const current = findSession(db, session.token, now());
    // Back at the camera the same picture is a new try; unless this upload began before, and a retry of it was quicker.
    if (!current || (!known && answerTo(current, sha256))) return null;
    const jobId = takePhoto(db, { token: session.token, sha256, file, actor: "kiosk", now: now() });
    if (!jobId) return null;
    const answer = sessionView(context, findSession(db, session.token, now()) as Session);
    keepPhotoAnswer(db, session.token, JSON.stringify(answer));
    return { jobId, answer };
  });
  if (taken) {
    log.info({ job: taken.jobId, width: photo.width, height: photo.height }, "a photo was accepted");
    if (session.user_id !== null) telegram.tell(session.user_id, photoTaken(session.lang, taken.answer.eta_seconds));
    return taken.answer;
  }
  // Somebody was faster: the same photo from a retry, or another tab's.
  const winner = findSession(db, session.token, now()) as Session;
  if (!selfieInUse(db, session.token, file)) removeFile(join(sessionDir(config.DATA_DIR, session.token), file));
  const same = answerTo(winner, sha256);
  if (same) return same;
  throw wrongStatus(winner);
}

/** What the sender of this photo was answered, unless the visit is over and its photo was sent back before. */
function answerTo(session: Session, sha256: string): ReturnType<typeof sessionView> | null {
  if (session.status === "expired" || session.status === "blocked") return null;
  return session.photo_sha256 === sha256 && session.photo_answer ? JSON.parse(session.photo_answer) : null;
}

async function photoIn(request: Request): Promise<Uint8Array> {
  const body = await bytesWithin(request, MAX_UPLOAD_BYTES, PHOTO_TOO_LARGE);
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  const form = await new Response(body, { headers }).formData().catch((cause: unknown) => {
    throw new AppError("invalid", "The upload could not be read.", {
      cause,
      fields: { photo: "must be a file in multipart/form-data" },
    });
  });
  const part = form.get("photo");
  if (!(part instanceof File))
    throw new AppError("invalid", "The photo is missing.", { fields: { photo: "must be a file" } });
  if (part.size > MAX_PHOTO_BYTES) throw new AppError("too_large", PHOTO_TOO_LARGE);
  return new Uint8Array(await part.arrayBuffer());
}
