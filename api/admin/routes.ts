/** Everything under `/admin`: the page, and the calls it makes. Whoever gets here has passed the door. */
import { fileURLToPath } from "node:url";
import { Type } from "@sinclair/typebox";
import { Elysia, NotFoundError } from "elysia";
import { removeKiosk } from "../../shared/admin/kiosks.ts";
import { openSaid, pauseSaid, tellChat, userOnPage } from "../../shared/admin/said.ts";
import { transact } from "../../shared/db.ts";
import { allKiosks } from "../../shared/kiosks.ts";
import { MAX_REASON_LENGTH, openBooth, pauseBooth } from "../../shared/pause.ts";
import { maintenance } from "../../shared/settings.ts";
import { isoOrNull } from "../../shared/time.ts";
import type { ApiContext } from "../context.ts";
import { staticFiles } from "../files.ts";
import { json } from "../json.ts";
import { brandingRoutes } from "./branding.ts";
import type { AdminDoor } from "./door.ts";
import { figureRoutes } from "./figures.ts";
import { jobRoutes } from "./jobs.ts";
import { langOf, rule } from "./lang.ts";
import { leadDeskRoutes } from "./leads.ts";
import { outfitRoutes } from "./outfits.ts";
import { kioskView, overviewOf } from "./overview.ts";
import { settingsRoutes } from "./settings.ts";
import { tryoutRoutes } from "./tryouts.ts";

const open = { additionalProperties: true };

const pauseOrder = Type.Object(
  {
    on: Type.Boolean(rule((t) => t.yesOrNo)),
    reason: Type.Optional(
      Type.Union(
        [Type.String({ maxLength: MAX_REASON_LENGTH }), Type.Null()],
        rule((t) => t.textUpTo(MAX_REASON_LENGTH)),
      ),
    ),
  },
  open,
);

export function adminRoutes(context: ApiContext, door: AdminDoor) {
  const { db, config, now, log } = context;
  const page = staticFiles(fileURLToPath(new URL("./page", import.meta.url)), "/admin/");

  return new Elysia({ name: "admin", normalize: false })
    .get("/admin/api/overview", ({ request }) => overviewOf(context, langOf(request, config)))
    .get("/admin/api/kiosks", () => ({ kiosks: allKiosks(db).map((kiosk) => kioskView(kiosk, now())) }))
    .delete(
      "/admin/api/kiosks/:id",
      ({ params, request }) => ({
        removed: removeKiosk(db, params.id, { actor: door.actorOf(request), now: now() }),
      }),
      { parse: json },
    )
    .post(
      "/admin/api/maintenance",
      ({ body, request }) => {
        // Telegram refuses half a character, and the chat would never hear of the pause.
        const changed = setPause(body.on, body.reason?.trim().toWellFormed() || null, door.actorOf(request));
        if (changed) log.info({ on: body.on }, "an operator changed the pause");
        const state = maintenance(db);
        return { on: state !== null, reason: state?.reason ?? null, since: isoOrNull(state?.since ?? null), changed };
      },
      { parse: json, body: pauseOrder },
    )
    .use(jobRoutes(context, door))
    .use(outfitRoutes(context, door))
    .use(tryoutRoutes(context, door))
    .use(leadDeskRoutes(context, door))
    .use(brandingRoutes(context, door))
    .use(settingsRoutes(context, door))
    .use(figureRoutes(context))
    .get("/admin", ({ request }) => pageFile(request, "/admin/"))
    .get("/admin/*", ({ request }) => pageFile(request, new URL(request.url).pathname));

  /** The chat hears of it in the same moment. @returns whether it changed */
  function setPause(on: boolean, reason: string | null, actor: string): boolean {
    return transact(db, () => {
      const changed = on ? pauseBooth(db, reason, actor, now()) : openBooth(db, actor, now());
      const by = userOnPage(config);
      if (changed) tellChat(db, config, on ? pauseSaid(db, config, { reason, by }) : openSaid(config, by), now());
      return changed;
    });
  }

  function pageFile(request: Request, path: string): Response {
    const file = page(request, path);
    if (!file) throw new NotFoundError();
    return file;
  }
}
