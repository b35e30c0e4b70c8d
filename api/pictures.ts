/** The pictures of outfit cards that operators uploaded. A name never changes what it shows, so browsers keep them. */
import { Elysia, NotFoundError } from "elysia";
import { PICTURE_PATH, pictureName, pictureNamed } from "../shared/pictures.ts";
import type { ApiContext } from "./context.ts";

const CACHE = "public, max-age=31536000, immutable";

export const pictureRoutes = ({ db }: ApiContext) =>
  new Elysia({ name: "pictures" }).get(`${PICTURE_PATH}:name`, ({ params }) => {
    const picture = pictureName.test(params.name) ? pictureNamed(db, params.name) : null;
    if (!picture) throw new NotFoundError();
    return new Response(Uint8Array.from(picture.bytes), {
      headers: { "content-type": picture.type, "cache-control": CACHE },
    });
  });
