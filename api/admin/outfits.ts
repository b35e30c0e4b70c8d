/** `/admin/api/templates`: the outfits with everything that guests do not see. */
import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  addOutfit,
  allOutfits,
  changeOutfit,
  MAX_OUTFITS,
  type OutfitFields,
  orderOutfits,
  outfitId,
  removeOutfit,
} from "../../shared/admin/outfits.ts";
import { readPicture } from "../../shared/pictures.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Template } from "../../shared/templates.ts";
import { VISIBLE } from "../../shared/visible.ts";
import type { ApiContext } from "../context.ts";
import { json, jsonUpTo } from "../json.ts";
import { type AdminDoor, MAX_PICTURE_JSON_BYTES, PICTURE_TOO_LARGE } from "./door.ts";
import { rule } from "./lang.ts";

const TITLE_LENGTH = 40;
const PROMPT_LENGTH = 1000;
const MAX_COLOURS = 8;

const open = { additionalProperties: true };
const title = Type.RegExp(VISIBLE, {
  maxLength: TITLE_LENGTH,
  ...rule((t) => t.text(TITLE_LENGTH)),
});
const [colours, ids] = [rule((t) => t.colours(MAX_COLOURS)), rule((t) => t.outfitIds)];
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const fields = {
  title_ru: title,
  title_uz: title,
  title_en: title,
  prompt: Type.RegExp(VISIBLE, {
    maxLength: PROMPT_LENGTH,
    ...rule((t) => t.text(PROMPT_LENGTH)),
  }),
  colours: optional(
    Type.Array(Type.String({ pattern: "^#[0-9a-fA-F]{6}$", ...colours }), { maxItems: MAX_COLOURS, ...colours }),
  ),
  enabled: optional(Type.Boolean(rule((t) => t.yesOrNo))),
  picture: optional(Type.String({ minLength: 1, ...rule((t) => t.pictureBytes) })),
};
const added = Type.Object(
  {
    id: Type.String({
      pattern: outfitId.source,
      ...rule((t) => t.outfitId),
    }),
    ...fields,
  },
  open,
);
const changed = Type.Object(
  {
    ...fields,
    title_ru: optional(title),
    title_uz: optional(title),
    title_en: optional(title),
    prompt: optional(fields.prompt),
    version: optional(Type.Integer(rule((t) => t.version.outfit))),
  },
  open,
);
const order = Type.Object(
  {
    ids: Type.Array(Type.String({ maxLength: 32, ...ids }), { maxItems: MAX_OUTFITS, ...ids }),
  },
  open,
);

type Body = Omit<OutfitFields, "picture"> & { picture?: string };

export function outfitRoutes(context: ApiContext, door: AdminDoor) {
  const { db, now, log } = context;
  const withPicture = jsonUpTo(MAX_PICTURE_JSON_BYTES, PICTURE_TOO_LARGE);
  const by = (request: Request) => ({ actor: door.actorOf(request), now: now() });

  return new Elysia({ name: "admin-outfits", normalize: false })
    .get("/admin/api/templates", () => ({ templates: allOutfits(db).map(outfitView) }))
    .post(
      "/admin/api/templates",
      async ({ body, request, set }) => {
        const outfit = addOutfit(db, body.id, await fieldsOf(body), by(request));
        log.info({ outfit: outfit.id }, "an outfit was added");
        set.status = 201;
        return outfitView(outfit);
      },
      { parse: withPicture, body: added },
    )
    .post(
      "/admin/api/templates/order",
      ({ body, request }) => {
        orderOutfits(db, body.ids, by(request));
        return { templates: allOutfits(db).map(outfitView) };
      },
      { parse: json, body: order },
    )
    .put(
      "/admin/api/templates/:id",
      async ({ params, body, request }) => {
        const given = await fieldsOf(body);
        const { outfit, changed: isNew } = changeOutfit(db, params.id, given, body.version, by(request));
        return { ...outfitView(outfit), changed: isNew };
      },
      { parse: withPicture, body: changed },
    )
    .delete(
      "/admin/api/templates/:id",
      ({ params, request }) => {
        removeOutfit(db, params.id, by(request));
        return { deleted: params.id };
      },
      { parse: json },
    );

  async function fieldsOf(body: Body): Promise<OutfitFields> {
    const { title_ru, title_uz, title_en, prompt, colours, enabled } = body;
    const tidy = (text: string | undefined) => text?.trim().toWellFormed();
    return {
      title_ru: tidy(title_ru),
      title_uz: tidy(title_uz),
      title_en: tidy(title_en),
      prompt: tidy(prompt),
      colours: colours?.map((colour) => colour.toLowerCase()),
      enabled,
      ...(body.picture === undefined ? {} : { picture: await readPicture(body.picture, "picture") }),
    };
  }
}

export function outfitView({ image, enabled, colours, ...rest }: Template) {
  return { ...rest, colours: JSON.parse(colours) as string[], enabled: enabled === 1, image_url: image };
}

/** The outfit that a try-out is for. @throws AppError `invalid` */
export function knownOutfit(template: Template | null): Template {
  if (template) return template;
  throw new Refusal("invalid", (t) => t.unknownOutfit, { sayFields: { template_id: (t) => t.noneOfTheOutfits } });
}
