/** `/admin/api/branding`: how kiosks look at this event, and the operators' PIN on them. */
import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type BrandingChange, branding, saveBranding } from "../../shared/branding.ts";
import { BACKGROUND_SIDE, readPicture } from "../../shared/pictures.ts";
import { Refusal, type Say } from "../../shared/refusal.ts";
import type { ApiContext } from "../context.ts";
import { jsonUpTo } from "../json.ts";
import { type AdminDoor, MAX_PICTURE_JSON_BYTES, PICTURE_TOO_LARGE } from "./door.ts";
import { rule } from "./lang.ts";

const NAME_LENGTH = 40;
const WELCOME_LENGTH = 80;

/** null takes a value away, an absent one stays as it is. */
const maybe = <T extends TSchema>(schema: T, say: Say) => Type.Optional(Type.Union([schema, Type.Null()], rule(say)));
const text = (limit: number) => maybe(Type.String({ maxLength: limit }), (t) => t.textUpTo(limit));
const colour = maybe(Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }), (t) => t.colour);
const picture = maybe(Type.String({ minLength: 1 }), (t) => t.pictureBytes);

const look = Type.Object(
  {
    name: text(NAME_LENGTH),
    welcome_ru: text(WELCOME_LENGTH),
    welcome_uz: text(WELCOME_LENGTH),
    welcome_en: text(WELCOME_LENGTH),
    paper: colour,
    ink: colour,
    accent: colour,
    logo: picture,
    background: picture,
    pin: maybe(Type.String({ pattern: "^[0-9]{4,8}$" }), (t) => t.pin),
    version: Type.Optional(Type.Integer(rule((t) => t.version.look))),
  },
  { additionalProperties: true },
);
type Body = (typeof look)["static"];

export function brandingRoutes({ db, now, log }: ApiContext, door: AdminDoor) {
  return new Elysia({ name: "admin-branding", normalize: false }).get("/admin/api/branding", view).put(
    "/admin/api/branding",
    async ({ body, request }) => {
      const changed = saveBranding(db, await changeIn(body), door.actorOf(request), now());
      if (changed) log.info({}, "an operator changed the kiosks' look");
      return { ...view(), changed };
    },
    { parse: jsonUpTo(MAX_PICTURE_JSON_BYTES, PICTURE_TOO_LARGE), body: look },
  );

  function view() {
    const { version, name, welcome, colours, logo, background, pin } = branding(db);
    return { version, name, welcome, colours, logo_url: logo, background_url: background, pin_set: pin !== null };
  }

  async function changeIn(body: Body): Promise<BrandingChange> {
    const words = (given: string | null | undefined) =>
      given === undefined ? undefined : given?.trim().toWellFormed() || null;
    const image = async (field: "logo" | "background") => {
      const given = body[field];
      if (given === undefined || given === null) return given;
      return await readPicture(given, field, field === "background" ? BACKGROUND_SIDE : undefined);
    };
    const welcome = { ru: words(body.welcome_ru), uz: words(body.welcome_uz), en: words(body.welcome_en) };
    return {
      name: words(body.name),
      welcome: Object.fromEntries(Object.entries(welcome).filter(([, words]) => words !== undefined)),
      colours: coloursIn(body),
      logo: await image("logo"),
      background: await image("background"),
      pin: body.pin,
      version: body.version,
    };
  }
}

/** All three or none: one of ours beside two of theirs was never looked at. @throws AppError `invalid` */
function coloursIn({ paper, ink, accent }: Body): BrandingChange["colours"] {
  if (paper === undefined && ink === undefined && accent === undefined) return undefined;
  if (paper && ink && accent)
    return { paper: paper.toLowerCase(), ink: ink.toLowerCase(), accent: accent.toLowerCase() };
  const given = { paper, ink, accent };
  const missing = Object.entries(given).filter(([, value]) => !value);
  if (missing.length === 3) return null;
  throw new Refusal("invalid", (t) => t.coloursTogether, {
    sayFields: Object.fromEntries(missing.map(([name]): [string, Say] => [name, (t) => t.colourMissing])),
  });
}
