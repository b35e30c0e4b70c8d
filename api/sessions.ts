/** The kiosk's calls: a visit from Start to the photo. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { renderSVG } from "uqr";
import { transact } from "../shared/db.ts";
import { AppError } from "../shared/errors.ts";
import { packsSince } from "../shared/queue.ts";
import {
  blockSession,
  chooseTemplate,
  createSession,
  expireSession,
  findSession,
  type Session,
  tokenPattern,
} from "../shared/sessions.ts";
import { maintenance } from "../shared/settings.ts";
import { langs } from "../shared/status.ts";
import { templateById } from "../shared/templates.ts";
import { speak } from "../shared/texts/index.ts";
import { dayStart } from "../shared/time.ts";
import type { ApiContext } from "./context.ts";
import { json } from "./json.ts";
import { receivePhoto } from "./photos.ts";
import { deepLink, sessionView } from "./session-view.ts";

/** Unknown fields are ignored, here and in every body. */
const open = { additionalProperties: true };

const newSession = Type.Object(
  {
    kiosk: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_.-]{1,64}$",
        error: "must be 1 to 64 letters, digits, dots, dashes or underscores",
      }),
    ),
    lang: Type.Optional(
      Type.Union(
        langs.map((lang) => Type.Literal(lang)),
        { error: `must be one of ${langs.join(", ")}` },
      ),
    ),
  },
  open,
);

const choice = Type.Object(
  { template_id: Type.String({ minLength: 1, maxLength: 64, error: "must name an outfit" }) },
  open,
);

export function sessionRoutes(context: ApiContext) {
  const { db, config, now, telegram } = context;

  return new Elysia({ name: "sessions", normalize: false })
    .post(
      "/session",
      ({ body, set }) => {
        if (maintenance(db)) {
          throw new AppError("maintenance", "The booth is taking a short break.", { retryAfterS: 5 });
        }
        deepLink(context, ""); // without the bot's name nobody could scan
        const { kiosk = null, lang = langs[0] } = body;
        const session = createSession(db, { kiosk, lang, ttl: config, now: now() });
        set.status = 201;
        const { token, status, deep_link, expires_at } = sessionView(context, session);
        return { token, status, deep_link, expires_at };
      },
      { parse: json, body: newSession },
    )
    .get("/session/:token", ({ params }) => sessionView(context, find(params.token)))
    .get("/session/:token/qr.svg", ({ params }) => {
      const svg = renderSVG(deepLink(context, find(params.token).token), { ecc: "M", border: 2 });
      return new Response(svg, { headers: { "content-type": "image/svg+xml", "cache-control": "no-store" } });
    })
    .post(
      "/session/:token/template",
      ({ params, body }) => {
        const session = find(params.token);
        const template = templateById(db, body.template_id);
        if (!template?.enabled) {
          throw new AppError("invalid", "There is no such outfit.", {
            fields: { template_id: "is not one of the outfits on offer" },
          });
        }
        if (session.status !== "consented" && session.status !== "template_chosen") throw wrongStatus(session);
        refuseOverLimit(session);
        if (!chooseTemplate(db, session.token, template.id, config, now())) throw wrongStatus(find(params.token));
        return sessionView(context, find(params.token));
      },
      { parse: json, body: choice },
    )
    .post(
      "/session/:token/photo",
      async ({ params, request, set }) => {
        const log = context.log.child({ request: set.headers["x-request-id"] });
        const answer = await receivePhoto({ ...context, log }, find(params.token), request, wrongStatus);
        set.status = 202;
        return answer;
      },
      { parse: "none" },
    )
    .post("/session/:token/expire", ({ params }) => {
      const session = find(params.token);
      expireSession(db, session.token, "reset", "kiosk", now());
      return sessionView(context, find(params.token));
    });

  function find(token: string): Session {
    const session = tokenPattern.test(token) ? findSession(db, token, now()) : null;
    if (!session) throw new AppError("not_found", "There is no such visit. Tap Start again.");
    return session;
  }

  function wrongStatus(session: Session): AppError {
    const status = session.status.replace("_", " ");
    return new AppError("wrong_status", `This visit is at “${status}”: that step is not possible now.`);
  }

  /** Ends the visit of a guest who had today's packs, and says so in the chat. @throws AppError `pack_limit` */
  function refuseOverLimit(session: Session) {
    const { PACK_LIMIT } = config;
    const guest = session.user_id;
    if (PACK_LIMIT === 0 || guest === null) return;
    const blocked = transact(db, () => {
      const made = packsSince(db, guest, dayStart(now(), config));
      return made >= PACK_LIMIT && blockSession(db, session.token, now());
    });
    if (!blocked) return;
    telegram.tell(guest, speak(session.lang).packLimit(PACK_LIMIT));
    throw new AppError("pack_limit", "This guest has made as many packs today as one may.");
  }
}
