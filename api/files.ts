/** Static files, read once at the start: no path ever reaches the disk, so none can leave its folder. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

type StaticFile = { bytes: Uint8Array<ArrayBuffer>; etag: string; type: string };

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  webmanifest: "application/manifest+json",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  ico: "image/x-icon",
  wasm: "application/wasm",
  mp3: "audio/mpeg",
  woff2: "font/woff2",
  tflite: "application/octet-stream",
};

export type StaticFiles = {
  (request: Request, path: string): Response | null;
  /** Changes with any change of a file, its name or its place. 22 characters of base64url. */
  version: string;
};

/**
 * Serves a folder below a URL prefix; a folder's path is its index.html. Unknown file types are not served.
 * Browsers ask each time and get a 304 while nothing changed, so a new release is seen at once.
 * @param only files of these names; without it, all
 */
export function staticFiles(folder: string, prefix = "/", only?: readonly string[]): StaticFiles {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[entry.name.split(".").at(-1) ?? ""];
    if (!entry.isFile() || !type || (only && !only.includes(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = new Uint8Array(readFileSync(path));
    const etag = `"${digestOf(bytes)}"`;
    const url = prefix + relative(folder, path).split(sep).join("/");
    files.set(url, { bytes, etag, type });
    if (entry.name === "index.html") files.set(url.slice(0, -"index.html".length), { bytes, etag, type });
  }
  const serve = (request: Request, path: string) => {
    const file = files.get(path);
    if (!file) return null;
    const headers = { etag: file.etag, "content-type": file.type, "cache-control": "no-cache" };
    if (knows(request, file.etag)) return new Response(null, { status: 304, headers });
    return new Response(file.bytes, { headers });
  };
  const all = [...files].map(([url, { etag }]) => `${url} ${etag}\n`).sort();
  return Object.assign(serve, { version: digestOf(all.join("")) });
}

const digestOf = (content: string | Uint8Array) =>
  createHash("sha256").update(content).digest("base64url").slice(0, 22);

/** RFC 9110, 13.1.2: `*` is any version, and a proxy that compressed the answer marks its tag as weak. */
function knows(request: Request, etag: string): boolean {
  const known = request.headers.get("if-none-match")?.split(/\s*,\s*/) ?? [];
  return known.some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag);
}
