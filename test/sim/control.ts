/**
 * The simulator's handle for other processes, as JSON over HTTP under `/sim/`:
 *
 *     GET    /sim/state               chats, messages, sets, violations, faults
 *     GET    /sim/calls?after=N       the log of calls from the Nth on, files as sizes
 *     POST   /sim/fault               a `Fault` (faults.ts); `times: -1` is for good
 *     DELETE /sim/faults
 *     POST   /sim/do                  {"action": "guestSays", "args": [7001, "/start"]}; bytes as {"base64": "…"}
 */
import type { Fault } from "./faults.ts";
import type { Sim } from "./sim.ts";

const actions = [
  "guest",
  "guestSays",
  "guestSendsPhoto",
  "guestSendsFile",
  "guestSendsSticker",
  "guestPresses",
  "guestBlocks",
  "guestUnblocks",
  "guestDeletesAccount",
  "operatorSays",
  "operatorPresses",
  "joins",
  "migrateGroup",
  "throwsBotOut",
  "invitesBot",
  "redeliver",
  "expirePresses",
  "skewClock",
  "setWebhook",
] as const;
type Action = (typeof actions)[number];

/** Undefined when the path is none of the control's. */
export function control(sim: Sim, request: Request, path: string): Promise<Response> | undefined {
  if (!path.startsWith("/sim/")) return undefined;
  if (!isLocal(request)) return Promise.resolve(fault(403, "only programs and pages of this machine may steer"));
  return answer(sim, request, `${request.method} ${path}`).catch((error) => fault(400, String(error)));
}

/** False for what another site's page sends from a browser. */
export function isLocal(request: Request): boolean {
  const origin = request.headers.get("origin");
  return origin === null || origin === new URL(request.url).origin;
}

async function answer(sim: Sim, request: Request, route: string): Promise<Response> {
  switch (route) {
    case "GET /sim/state":
      return Response.json(state(sim));
    case "GET /sim/calls": {
      const after = Number(new URL(request.url).searchParams.get("after") ?? 0);
      return Response.json(sim.calls.slice(after).map((call) => ({ ...call, files: sizes(call.files) })));
    }
    case "POST /sim/fault": {
      sim.fault((await request.json()) as Fault);
      return Response.json({ faults: sim.activeFaults.length });
    }
    case "DELETE /sim/faults":
      sim.clearFaults();
      return Response.json({ faults: 0 });
    case "POST /sim/do": {
      const { action, args = [] } = (await request.json()) as { action: string; args?: unknown[] };
      if (!isAction(action)) return fault(404, `no action ${action}; there are ${actions.join(", ")}`);
      const act = sim[action] as (...args: unknown[]) => unknown;
      return Response.json({ result: (await act.apply(sim, args.map(revive))) ?? null });
    }
    default:
      return fault(404, `no ${route}`);
  }
}

function isAction(name: string): name is Action {
  return (actions as readonly string[]).includes(name);
}

function revive(argument: unknown): unknown {
  if (typeof argument !== "object" || argument === null || !("base64" in argument)) return argument;
  return new Uint8Array(Buffer.from(String(argument.base64), "base64"));
}

function state(sim: Sim) {
  const chats = [...sim.world.chats.values()].map(({ chat, messages, botStatus, movedTo }) => {
    return { chat, messages, botStatus, movedTo };
  });
  const sets = sim.sets.map(({ name, title, ownerId, stickers }) => {
    return { name, title, ownerId, stickers: stickers.map(({ fileId, emoji }) => ({ fileId, emoji })) };
  });
  const faults = sim.activeFaults.map(({ target, do: action }) => ({ target, do: action }));
  return { chats, sets, violations: sim.violations, faults, calls: sim.calls.length };
}

function sizes(files: Record<string, Uint8Array>) {
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, bytes.length]));
}

function fault(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
