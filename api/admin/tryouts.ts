/** `/admin/api/tryouts`: an outfit drawn on a photo, as guests would get it, before guests see it. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { AppError } from "../../shared/errors.ts";
import { readIfThere, writeWhole } from "../../shared/files.ts";
import { templateById } from "../../shared/templates.ts";
import { iso } from "../../shared/time.ts";
import { addTryout, newTryoutFolder, TRYOUT_PHOTO, type Tryout, tryoutById, tryoutFile } from "../../shared/tryouts.ts";
import type { ApiContext } from "../context.ts";
import { jsonUpTo } from "../json.ts";
import { type AdminDoor, MAX_PICTURE_JSON_BYTES, PICTURE_TOO_LARGE } from "./door.ts";
import { imageResponse, photoIn } from "./images.ts";
import { knownOutfit } from "./outfits.ts";

const PROMPT_LENGTH = 1000;

const wish = Type.Object(
  {
    template_id: Type.String({ minLength: 1, maxLength: 32, error: "must name an outfit" }),
    prompt: Type.Optional(
      Type.String({
        pattern: "\\S",
        maxLength: PROMPT_LENGTH,
        error: `must be text of 1 to ${PROMPT_LENGTH} characters`,
      }),
    ),
    photo: Type.String({ minLength: 1, error: "must be a photo's bytes as base64" }),
  },
  { additionalProperties: true },
);

export function tryoutRoutes({ db, config, now, log }: ApiContext, door: AdminDoor) {
  return new Elysia({ name: "admin-tryouts", normalize: false })
    .post(
      "/admin/api/tryouts",
      async ({ body, request, set }) => {
        const outfit = knownOutfit(templateById(db, body.template_id));
        const { jpeg } = await photoIn(body.photo, "photo");
        const folder = newTryoutFolder();
        writeWhole(tryoutFile(config.DATA_DIR, { folder }, TRYOUT_PHOTO), jpeg);
        const tryout = addTryout(db, {
          folder,
          template_id: outfit.id,
          prompt: body.prompt?.trim().toWellFormed() ?? outfit.prompt,
          colours: outfit.colours,
          actor: door.actorOf(request),
          now: now(),
        });
        log.info({ tryout: tryout.id, outfit: outfit.id }, "a try-out was ordered");
        set.status = 202;
        return view(tryout);
      },
      { parse: jsonUpTo(MAX_PICTURE_JSON_BYTES, PICTURE_TOO_LARGE), body: wish },
    )
    .get("/admin/api/tryouts/:id", ({ params }) => view(find(params.id)))
    .get("/admin/api/tryouts/:id/files/:name", async ({ params }) => {
      const tryout = find(params.id);
      const known = filesOf(tryout).includes(params.name);
      const bytes = known ? await readIfThere(tryoutFile(config.DATA_DIR, tryout, params.name)) : null;
      if (!bytes) throw new AppError("not_found", "This picture is no longer there.");
      return imageResponse(bytes);
    });

  function find(id: string): Tryout {
    const tryout = /^\d{1,15}$/.test(id) ? tryoutById(db, Number(id)) : null;
    if (!tryout) throw new AppError("not_found", "There is no such try-out.");
    return tryout;
  }
}

const filesOf = ({ sheet, stickers }: Tryout): string[] => [
  ...(sheet ? [sheet] : []),
  ...(stickers ? (JSON.parse(stickers) as string[]) : []),
];

function view(tryout: Tryout) {
  const { id, template_id, status, problem, created_at } = tryout;
  const files = filesOf(tryout).map((name) => ({ name, url: `/admin/api/tryouts/${id}/files/${name}` }));
  return { id, template_id, status, problem, created_at: iso(created_at), files };
}
