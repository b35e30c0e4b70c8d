/** The whole api: guards, routes, errors, headers, log lines. */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Elysia, NotFoundError } from "elysia";
import { AppError } from "../shared/errors.ts";
import { shortToken } from "../shared/log.ts";
import { createAdminDoor, isAdmin } from "./admin/door.ts";
import { langOf, translated } from "./admin/lang.ts";
import { adminRoutes } from "./admin/routes.ts";
import { asAppError, errorResponse } from "./answers.ts";
import { letGo } from "./body.ts";
import type { ApiContext } from "./context.ts";
import { staticFiles } from "./files.ts";
import { callerOf, createGuard, MAX_BODY_BYTES } from "./guard.ts";
import { healthRoutes } from "./health.ts";
import { kioskRoutes } from "./kiosks.ts";
import { createLeadsDoor, leadRoutes } from "./leads.ts";
import { pictureRoutes } from "./pictures.ts";
import { sessionRoutes } from "./sessions.ts";
import { templateRoutes } from "./templates.ts";

const IDLE_TIMEOUT_S = 30;

/** Sent with every answer. The camera is for the kiosk's own page alone. */
const HEADERS = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "permissions-policy": "camera=(self), microphone=(), geolocation=()",
  "cross-origin-opener-policy": "same-origin",
};

/** The operators' page shows what guests and visitors wrote: nothing but its own files runs there. */
const ADMIN_HEADERS = {
  ...HEADERS,
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};
const headersFor = (path: string) => (isAdmin(path) ? ADMIN_HEADERS : HEADERS);
const ASK_FOR_PASSWORD = 'Basic realm="Sticker booth operators", charset="UTF-8"';

/** What the kiosk finds faces with (kiosk/faces); of its package the model is all that the page needs. */
const FACE_MODEL = "face_detection_short_range.tflite";

/** Answers that tell of the booth's state, not of a failure. */
const EXPECTED: ReadonlySet<string> = new Set(["maintenance", "not_ready"]);

export function createApp(context: ApiContext) {
  const guard = createGuard(context);
  const leadsDoor = createLeadsDoor(context);
  const adminDoor = createAdminDoor(context);
  const kiosk = staticFiles(fileURLToPath(new URL("../kiosk", import.meta.url)));
  const faceModel = fileURLToPath(import.meta.resolve(`@mediapipe/face_detection/${FACE_MODEL}`));
  const faces = staticFiles(dirname(faceModel), "/faces/", [FACE_MODEL]);
  const started = new WeakMap<Request, { id: string; at: number }>();
  const pathOf = (request: Request) => new URL(request.url).pathname;

  const app = new Elysia({
    serve: { reusePort: false, idleTimeout: IDLE_TIMEOUT_S, maxRequestBodySize: MAX_BODY_BYTES },
  })
    .onRequest(({ request, set, server }) => {
      const id = randomUUID();
      started.set(request, { id, at: performance.now() });
      Object.assign(set.headers, headersFor(pathOf(request)), { "cache-control": "no-store", "x-request-id": id });
      const caller = callerOf(request, server?.requestIP(request)?.address);
      // Elysia takes a closing slash for nothing, so the guards do too.
      const path = pathOf(request).replace(/(.)\/+$/, "$1");
      if (path === "/leads" && request.method === "POST") leadsDoor(request, caller);
      if (isAdmin(path)) return adminDoor.enter(request, path, caller);
      guard(request, path, caller);
    })
    .onError(async ({ error, request, set }) => {
      await letGo(request);
      const known = error instanceof NotFoundError ? notFound(request) : asAppError(error);
      const found = isAdmin(pathOf(request)) ? translated(error, known, langOf(request, context.config)) : known;
      if (found.status >= 500 && !EXPECTED.has(found.code))
        context.log.error(
          { request: started.get(request)?.id, code: found.code, err: found.cause ?? found },
          "a request failed",
        );
      const response = errorResponse(found);
      const path = pathOf(request);
      for (const [name, value] of Object.entries(headersFor(path))) response.headers.set(name, value);
      if (found.code === "unauthorized" && isAdmin(path)) response.headers.set("www-authenticate", ASK_FOR_PASSWORD);
      set.status = found.status;
      return response;
    })
    .onAfterResponse(({ request, set }) => logRequest(request, Number(set.status ?? 200)))
    .use(healthRoutes(context))
    .use(sessionRoutes(context))
    .use(templateRoutes(context))
    .use(leadRoutes(context))
    .use(kioskRoutes(context))
    .use(pictureRoutes(context))
    .use(adminRoutes(context, adminDoor))
    // All that a kiosk's service worker asks each minute; only when this has changed does it take the files anew.
    .get("/shell-version", () => kiosk.version)
    .get("/*", ({ request }) => {
      const file = kiosk(request, pathOf(request)) ?? faces(request, pathOf(request));
      if (!file) throw new NotFoundError();
      return file;
    });
  return app;

  function notFound(request: Request): AppError {
    const path = pathOf(request);
    const others = app.routes.filter((r) => r.path !== "/*" && r.method !== request.method && matches(r.path, path));
    if (others.length === 0) return new AppError("not_found", "There is nothing at this address.");
    const methods = [...new Set(others.map((r) => r.method))];
    return new AppError("method_not_allowed", `This address takes ${methods.join(" or ")}.`, { allow: methods });
  }

  function logRequest(request: Request, status: number) {
    const { id, at } = started.get(request) ?? { id: "?", at: performance.now() };
    const path = pathOf(request).replace(
      /^(\/session\/)([A-Za-z0-9_-]{9,})/,
      (_, head, token) => `${head}${shortToken(token)}…`,
    );
    const fields = {
      request: id,
      method: request.method,
      path: path.slice(0, 200),
      status,
      ms: Math.round(performance.now() - at),
    };
    // A kiosk asks each second; its good answers would drown everything else.
    if (request.method === "GET" && status < 400) context.log.debug(fields, "request");
    else context.log.info(fields, "request");
  }
}

const matches = (pattern: string, path: string) => new RegExp(`^${pattern.replace(/:[^/]+/g, "[^/]+")}$`).test(path);
