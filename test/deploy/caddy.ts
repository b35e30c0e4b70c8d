/** The real Caddy with the booth's own site file, its internal CA instead of Let's Encrypt, and curl to look at it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import http2 from "node:http2";
import { join } from "node:path";
import { ROOT, scratch } from "./booth.ts";

export const canCaddy = (() => {
  const missing = ["caddy", "curl"].filter((program) => !Bun.which(program));
  if (missing.length > 0)
    console.warn(`Tests behind Caddy are left out: ${missing.join(" and ")} not found (apt-get install caddy curl).`);
  return missing.length === 0;
})();

/** Ports that are free now; the listeners that found them are closed again. */
function freePorts(count: number): number[] {
  const servers = Array.from({ length: count }, () => Bun.serve({ port: 0, fetch: () => new Response() }));
  const ports = servers.map((server) => server.port as number);
  for (const server of servers) void server.stop(true);
  return ports;
}

export type Reply = { status: number; version: string; headers: Headers; body: string };

export async function startCaddy(api: string) {
  const folder = scratch("caddy-");
  const [http = 0, https = 0] = freePorts(2);
  const config = join(folder.path, "Caddyfile");
  const log = join(folder.path, "access.log");
  const options = ["admin off", "local_certs", "skip_install_trust", `storage file_system ${folder.path}/store`];
  options.push(`http_port ${http}`, `https_port ${https}`);
  writeFileSync(config, `{\n${options.join("\n")}\n}\nimport ${ROOT}deploy/caddy/stickers.caddy\n`);
  const env = { PATH: process.env.PATH, HOME: folder.path, BOOTH_SITE: "localhost", BOOTH_API: api, BOOTH_LOG: log };
  const child = Bun.spawn(["caddy", "run", "--config", config, "--adapter", "caddyfile"], {
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const own = child.stderr.getReader();
  let said = "";
  const decoder = new TextDecoder();
  while (!said.includes("certificate obtained successfully")) {
    const { done, value } = await own.read();
    if (done) throw new Error(`Caddy did not start: ${said}`);
    said += decoder.decode(value, { stream: true });
  }
  const rest = (async () => {
    for (let part = await own.read(); !part.done; part = await own.read()) said += decoder.decode(part.value);
  })();
  const root = join(folder.path, "store/pki/authorities/local/root.crt");

  return {
    /** One request by curl as a browser sends it (without Expect), with TLS checked against Caddy's own CA. */
    async curl(path: string, ...options: string[]): Promise<Reply> {
      const head = join(folder.path, `head-${crypto.randomUUID()}`);
      const url = `https://localhost:${https}${path}`;
      const words = ["curl", "-sS", "--ipv4", "--max-time", "60", "--cacert", root, "-H", "Expect:", "-D", head];
      const curl = Bun.spawn([...words, ...options, url], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
      const [body, err] = await Promise.all([new Response(curl.stdout).text(), new Response(curl.stderr).text()]);
      if ((await curl.exited) !== 0 && !existsSync(head)) throw new Error(err);
      return { body, ...parsed(readFileSync(head, "latin1")) };
    },
    /** A POST over HTTP/2 by a client that goes on listening while it sends. */
    upload: (path: string, body: Buffer, type: string) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const session = http2.connect(`https://localhost:${https}`, { ca: readFileSync(root) });
        session.on("error", reject);
        const stream = session.request({ ":method": "POST", ":path": path, "content-type": type });
        let status = 0;
        let said = "";
        stream.on("response", (headers) => {
          status = Number(headers[":status"]);
        });
        stream.on("data", (part) => {
          said += part;
        });
        stream.on("error", reject);
        stream.on("close", () => {
          session.close();
          resolve({ status, body: said });
        });
        stream.end(body);
      }),
    redirect: () => fetch(`http://localhost:${http}/`, { redirect: "manual" }),
    accessLog: () => readFileSync(log, "utf8"),
    get ownLog() {
      return said;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
      await rest;
      folder[Symbol.dispose]();
    },
  };
}

/** The last answer in what curl wrote down (before it there may be a "100 Continue"). */
function parsed(text: string): Omit<Reply, "body"> {
  const last = text
    .trim()
    .split(/\r?\n\r?\n/)
    .at(-1) as string;
  const [first = "", ...lines] = last.split(/\r?\n/);
  const [, version = "", status = "0"] = /^HTTP\/(\S+) (\d+)/.exec(first) ?? [];
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  return { status: Number(status), version, headers };
}
