/** `/admin/api/tryouts`: an outfit drawn on a photo, as guests would get it, before guests see it. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { reasonInWords } from "../../shared/admin/words.ts";
import { readIfThere, removeSessionFiles, writeWhole } from "../../shared/files.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Lang } from "../../shared/status.ts";
import { templateById } from "../../shared/templates.ts";
import { iso } from "../../shared/time.ts";
import { addTryout, newTryoutFolder, TRYOUT_PHOTO, type Tryout, tryoutById, tryoutFile } from "../../shared/tryouts.ts";
import { VISIBLE } from "../../shared/visible.ts";
import type { ApiContext } from "../context.ts";
import { jsonUpTo } from "../json.ts";
import { type AdminDoor, MAX_PICTURE_JSON_BYTES, PICTURE_TOO_LARGE } from "./door.ts";
import { imageResponse, photoIn } from "./images.ts";
import { langOf, rule } from "./lang.ts";
import { knownOutfit } from "./outfits.ts";

const PROMPT_LENGTH = 1000;

const wish = Type.Object(
  {
    template_id: Type.String({ minLength: 1, maxLength: 32, ...rule((t) => t.nameOutfit) }),
    prompt: Type.Optional(
      Type.RegExp(VISIBLE, {
        maxLength: PROMPT_LENGTH,
        ...rule((t) => t.text(PROMPT_LENGTH)),
      }),
    ),
    photo: Type.String({ minLength: 1, ...rule((t) => t.photoBytes) }),
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
        const tryout = keptOnlyWith(folder, () =>
          addTryout(db, {
            folder,
            template_id: outfit.id,
            prompt: body.prompt?.trim().toWellFormed() ?? outfit.prompt,
            colours: outfit.colours,
            actor: door.actorOf(request),
            now: now(),
          }),
        );
        log.info({ tryout: tryout.id, outfit: outfit.id }, "a try-out was ordered");
        set.status = 202;
        return view(tryout, langOf(request, config));
      },
      { parse: jsonUpTo(MAX_PICTURE_JSON_BYTES, PICTURE_TOO_LARGE), body: wish },
    )
    .get("/admin/api/tryouts/:id", ({ params, request }) => view(find(params.id), langOf(request, config)))
    .get("/admin/api/tryouts/:id/files/:name", async ({ params }) => {
      const tryout = find(params.id);
      const known = filesOf(tryout).includes(params.name);
      const bytes = known ? await readIfThere(tryoutFile(config.DATA_DIR, tryout, params.name)) : null;
      if (!bytes) throw new Refusal("not_found", (t) => t.pictureGone);
      return imageResponse(bytes);
    });

  /** The photo of a wish that is refused goes at once. */
  function keptOnlyWith<T>(folder: string, store: () => T): T {
    try {
      return store();
    } catch (error) {
      removeSessionFiles(config.DATA_DIR, folder);
      throw error;
    }
  }

  function find(id: string): Tryout {
    const tryout = /^\d{1,15}$/.test(id) ? tryoutById(db, Number(id)) : null;
    if (!tryout) throw new Refusal("not_found", (t) => t.noTryout);
    return tryout;
  }
}

const filesOf = ({ sheet, stickers }: Tryout): string[] => [
  ...(sheet ? [sheet] : []),
  ...(stickers ? (JSON.parse(stickers) as string[]) : []),
];

function view(tryout: Tryout, lang: Lang) {
  const { id, template_id, status, problem, created_at } = tryout;
  const files = filesOf(tryout).map((name) => ({ name, url: `/admin/api/tryouts/${id}/files/${name}` }));
  return {
    id,
    template_id,
    status,
    problem: problem && reasonInWords(problem, lang),
    created_at: iso(created_at),
    files,
  };
}
