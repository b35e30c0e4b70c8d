/**
 * Who may enter `/admin`, and what a change must look like. Asked before anything of the request is read.
 * The page's own calls are same-origin JSON; what another site's page or form can make a browser send is refused.
 */
import { addressMarks } from "../../shared/addresses.ts";
import { alertOperators } from "../../shared/alerts.ts";
import { createLockout } from "../../shared/lockout.ts";
import { Refusal } from "../../shared/refusal.ts";
import { team } from "../../shared/texts/operators/index.ts";
import type { ApiContext } from "../context.ts";
import { sameSecret } from "../guard.ts";
import { MAX_JSON_BYTES } from "../json.ts";

/** A picture of 10 MB as base64 in JSON. */
export const MAX_PICTURE_JSON_BYTES = 14 * 1024 * 1024;
/** As the reading of a body says it, which asks for no language: the door has said it before in all of them. */
export const PICTURE_TOO_LARGE = team("en").refusals.pictureTooLarge;
/** Bodies that may carry a picture. */
const withPicture = /^\/admin\/api\/(templates|tryouts|branding)(\/|$)/;
const CREDENTIALS_LENGTH = 1000;
const MINUTE_MS = 60_000;

export const isAdmin = (path: string) => path === "/admin" || path.startsWith("/admin/");

export type AdminDoor = {
  /** @throws AppError `not_found` when there is no admin, `unauthorized`, `forbidden`, `not_json`, `too_large` */
  enter(request: Request, path: string, caller: string): void;
  /** Who came in, for histories and the audit log. @throws AppError `unauthorized` for a request that never passed the door */
  actorOf(request: Request): string;
};

export function createAdminDoor({ db, config, now, log }: ApiContext): AdminDoor {
  const { ADMIN_USER, ADMIN_PASSWORD } = config;
  const lockout = createLockout(db, "admin", addressMarks(db, config, now()), (at) => {
    alertOperators(db, config, { cause: "lockout:admin", text: team(config.TEAM_LANG).alerts.lockedOut, now: at });
  });
  const entered = new WeakMap<Request, string>();
  const refusal = () => new Refusal("unauthorized", (t) => t.logIn);

  function checkCredentials(request: Request, caller: string): string {
    if (!ADMIN_USER || !ADMIN_PASSWORD) throw new Refusal("not_found", (t) => t.codes.not_found);
    // The right password does not help a locked-out caller either.
    refuseLocked(caller);
    const given = credentialsOf(request);
    // A browser asks once without, to learn that it has to ask its user.
    if (!given) throw refusal();
    const userIsRight = sameSecret(given.user, ADMIN_USER);
    const passwordIsRight = sameSecret(given.password, ADMIN_PASSWORD);
    if (userIsRight && passwordIsRight) return `admin:${ADMIN_USER}`;
    if (lockout.wrong(caller, now())) {
      log.warn({}, "a caller of /admin was locked out");
      refuseLocked(caller);
    }
    throw refusal();
  }

  /** Says for how long: a person can wait, and nobody learns more than by trying. */
  function refuseLocked(caller: string) {
    const leftMs = lockout.lockedForMs(caller, now());
    if (leftMs > 0)
      throw new Refusal("unauthorized", (t) => t.lockedOut(Math.ceil(leftMs / MINUTE_MS)), {
        retryAfterS: Math.ceil(leftMs / 1000),
      });
  }

  return {
    enter(request, path, caller) {
      const actor = checkCredentials(request, caller);
      if (request.method !== "GET" && request.method !== "HEAD") checkChange(request, path, config.PUBLIC_URL);
      entered.set(request, actor);
    },
    actorOf(request) {
      const actor = entered.get(request);
      if (!actor) throw refusal();
      return actor;
    },
  };
}

function credentialsOf(request: Request): { user: string; password: string } | null {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (!encoded || encoded.length > CREDENTIALS_LENGTH) return null;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function checkChange(request: Request, path: string, publicUrl: string) {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const foreign =
    (site !== null && site !== "same-origin") || (origin !== null && !isOwnOrigin(origin, request, publicUrl));
  if (foreign) throw new Refusal("forbidden", (t) => t.fromElsewhere);
  const length = Number(headers.get("content-length") ?? 0);
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const hasBody = length > 0 || headers.has("transfer-encoding");
  if (type === undefined ? hasBody : type !== "application/json")
    throw new Refusal("not_json", (t) => t.codes.not_json);
  const picture = withPicture.test(path);
  if (length > (picture ? MAX_PICTURE_JSON_BYTES : MAX_JSON_BYTES))
    throw new Refusal("too_large", (t) => (picture ? t.pictureTooLarge : t.jsonTooLarge));
}

/** The page's origin is the host that it was asked for at, or the booth's public one: a proxy may have changed the first. */
function isOwnOrigin(origin: string, request: Request, publicUrl: string): boolean {
  const host = URL.parse(origin)?.host;
  return host !== undefined && (host === request.headers.get("host") || origin === new URL(publicUrl).origin);
}
