/** A visit as the kiosk sees it. */
import { AppError } from "../shared/errors.ts";
import { placeOf } from "../shared/queue.ts";
import { findSession, type Session } from "../shared/sessions.ts";
import { botUsername } from "../shared/settings.ts";
import { iso } from "../shared/time.ts";
import { userById } from "../shared/users.ts";
import type { ApiContext } from "./context.ts";

/**
 * The contract's session object: a visit with its photo has a place in the queue, another one has none.
 * @throws AppError `not_ready` while the bot's name is unknown
 */
export function sessionView(context: Pick<ApiContext, "db" | "config" | "now">, known: Session) {
  const { db, config, now } = context;
  const place = placeOf(db, known, config.WORKER_SLOTS, now());
  // The bot may have moved both, in one commit, after the visit was read and before its place was.
  const isTorn = (known.status === "photo_taken") !== (place !== null);
  const session = (isTorn && findSession(db, known.token, now())) || known;
  return {
    token: session.token,
    status: session.status,
    lang: session.lang,
    guest_name: session.user_id === null ? null : (userById(db, session.user_id)?.first_name ?? null),
    template_id: session.template_id,
    deep_link: deepLink(context, session.token),
    expires_at: iso(session.expires_at),
    queue_position: place?.position ?? null,
    eta_seconds: place?.etaSeconds ?? null,
    problem: session.problem,
  };
}

/** Where the QR code leads. @throws AppError `not_ready` while the bot's name is unknown */
export function deepLink({ db, config }: Pick<ApiContext, "db" | "config">, token: string): string {
  const username = botUsername(db, config.BOT_USERNAME);
  if (!username)
    throw new AppError("not_ready", "The bot has not introduced itself to Telegram yet. Try again in a moment.", {
      retryAfterS: 2,
    });
  return `${config.TELEGRAM_WEB_ROOT}/${username}?start=${token}`;
}
