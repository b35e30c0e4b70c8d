/** The outfit cards. */
import { Elysia } from "elysia";
import { enabledTemplates, titleOf } from "../shared/templates.ts";
import { langFrom } from "../shared/users.ts";
import type { ApiContext } from "./context.ts";

export const templateRoutes = ({ db }: ApiContext) =>
  new Elysia({ name: "templates" }).get("/templates", ({ query }) => {
    const lang = langFrom(query.lang);
    return enabledTemplates(db).map((template) => ({
      id: template.id,
      title: titleOf(template, lang),
      image_url: template.image,
    }));
  });
