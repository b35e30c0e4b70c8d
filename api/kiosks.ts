/** Kiosks say that they live, and ask how to look: see the tops of shared/kiosks.ts and shared/branding.ts. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { branding, lookOf } from "../shared/branding.ts";
import { noteKiosk } from "../shared/kiosks.ts";
import { maintenance } from "../shared/settings.ts";
import type { ApiContext } from "./context.ts";
import { json } from "./json.ts";

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, error: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { error }));
const word = orNull(Type.String({ pattern: "^[a-z][a-z0-9_-]{0,31}$" }), "must be a word of small letters");
const flag = orNull(Type.Boolean(), "must be true or false");

const beat = Type.Object(
  {
    kiosk: Type.String({
      pattern: "^[A-Za-z0-9_.-]{1,64}$",
      error: "must be 1 to 64 letters, digits, dots, dashes or underscores",
    }),
    version: orNull(Type.String({ maxLength: 40 }), "must be text of at most 40 characters"),
    screen: word,
    camera: word,
    battery: orNull(Type.Number({ minimum: 0, maximum: 1 }), "must be a number from 0 to 1"),
    charging: flag,
    wake_lock: flag,
  },
  { additionalProperties: true },
);

export const kioskRoutes = ({ db, config, now }: ApiContext) =>
  new Elysia({ name: "kiosks", normalize: false })
    .post(
      "/kiosk/heartbeat",
      ({ body }) => {
        noteKiosk(db, body, now());
        return { maintenance: maintenance(db) !== null, look: lookOf(branding(db)) };
      },
      { parse: json, body: beat },
    )
    .get("/kiosk/config", () => {
      const look = branding(db);
      const { name, welcome, colours, logo, background, pin } = look;
      return {
        look: lookOf(look),
        name,
        welcome,
        colours,
        logo_url: logo,
        background_url: background,
        pin: config.KIOSK_KEY ? pin : null,
      };
    });
