import { createLanding } from "./handler.ts";
import { readSettings } from "./settings.ts";

/** EX_CONFIG of sysexits.h: the settings are wrong, starting again will not help. */
const EXIT_CONFIG = 78;
/** The slowest request takes both routes' deadlines, 5 s each; then a stop waits no longer. */
const STOP_MS = 12_000;
const IDLE_SECONDS = 30;
/** A backstop; the handler itself refuses less, with a page. */
const BODY_MAX_BYTES = 1_048_576;

const { settings, host, port, faults, warnings } = readSettings(process.env);
if (faults.length > 0) {
  console.error(["The landing cannot start:", ...faults.map((fault) => `- ${fault}`)].join("\n"));
  process.exit(EXIT_CONFIG);
}
for (const warning of warnings) log({ level: "warn", msg: warning });

const landing = createLanding(settings, { log: (event) => log({ level: event.reason ? "error" : "info", ...event }) });
const server = listen();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop(signal));
// Said last: whoever reads it may already ask us to stop.
log({ level: "info", msg: "listening", url: server.url.href });

function listen() {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Otherwise a second landing would share the port in silence.
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: BODY_MAX_BYTES,
      fetch: (request, self) => landing(request, self.requestIP(request)?.address),
      error: (error) => {
        log({ level: "error", msg: "unexpected", reason: error.name });
        return new Response("Something went wrong on our side. Please try again.", { status: 500 });
      },
    });
  } catch {
    console.error(
      `The landing cannot listen on ${host}:${port}. Is the port taken? Set LANDING_HOST and LANDING_PORT.`,
    );
    process.exit(1);
  }
}

async function stop(signal: string): Promise<void> {
  log({ level: "info", msg: "stopping", reason: signal });
  const timer = setTimeout(() => process.exit(1), STOP_MS);
  await server.stop();
  clearTimeout(timer);
  process.exit(0);
}

function log(event: Record<string, unknown>): void {
  console.log(JSON.stringify({ time: new Date().toISOString(), service: "landing", ...event }));
}
