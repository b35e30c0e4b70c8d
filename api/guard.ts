/** What is asked of a request before anything of it is read: origin of the caller, key, size, type, rate. */
import { createHash, timingSafeEqual } from "node:crypto";
import { AppError } from "../shared/errors.ts";
import { rateLimit } from "../shared/gate.ts";
import { MAX_PHOTO_BYTES } from "../shared/photos.ts";
import type { ApiContext } from "./context.ts";
import { JSON_TOO_LARGE, MAX_JSON_BYTES } from "./json.ts";

/** Multipart borders and headers around a photo of the largest size. */
const MULTIPART_BYTES = 16 * 1024;
export const MAX_UPLOAD_BYTES = MAX_PHOTO_BYTES + MULTIPART_BYTES;
export const PHOTO_TOO_LARGE = "The photo is larger than 15 MB. Send a smaller one.";
/** Above this Bun itself answers, with an empty 413; ours come long before. Caddy stops at 20 MB. */
export const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** An address and its port; anything longer is nonsense that would fill the memory of callers. */
const CALLER_LENGTH = 64;

const SESSIONS_PER_MINUTE = 60;

/** Are two secrets equal? Takes the same time whatever they hold. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The caller's address: the last hop that Caddy wrote down, believed only when the peer is this machine. */
export function callerOf(request: Request, peer: string | undefined): string {
  const address = (peer ?? "").replace(/^::ffff:/, "");
  if (address !== "127.0.0.1" && address !== "::1") return address;
  const hop = request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  return (hop || address).slice(0, CALLER_LENGTH);
}

const photoPath = /^\/session\/[^/]+\/photo$/;

export function createGuard({ config, now }: ApiContext) {
  const newSessions = rateLimit(SESSIONS_PER_MINUTE, 60_000);

  /** @throws AppError when the request may not go on */
  return function guard(request: Request, path: string, caller: string) {
    checkBody(request, path);
    if (path === "/session" || path.startsWith("/session/") || path.startsWith("/kiosk/")) {
      if (config.KIOSK_KEY && !sameSecret(request.headers.get("x-kiosk-key") ?? "", config.KIOSK_KEY)) {
        throw new AppError(
          "kiosk_key",
          "This kiosk does not have the right key. Open it once with #key=… in its address.",
        );
      }
    }
    if (path === "/session" && request.method === "POST") {
      const waitS = newSessions.take(caller, now());
      if (waitS > 0)
        throw new AppError("too_many", "Too many visits were started. Wait a moment.", { retryAfterS: waitS });
    }
  };
}

function checkBody(request: Request, path: string) {
  if (request.method === "GET" || request.method === "HEAD") return;
  const length = Number(request.headers.get("content-length") ?? 0);
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (photoPath.test(path)) {
    if (length > MAX_UPLOAD_BYTES) throw new AppError("too_large", PHOTO_TOO_LARGE);
    if (type !== "multipart/form-data")
      throw new AppError("not_multipart", "Send the photo as multipart/form-data in a field named photo.");
    return;
  }
  if (length > MAX_JSON_BYTES) throw new AppError("too_large", JSON_TOO_LARGE);
  const holdsSomething = length > 0 || request.headers.has("transfer-encoding");
  if (holdsSomething && type !== "application/json")
    throw new AppError("not_json", "Send JSON with Content-Type: application/json.");
}
