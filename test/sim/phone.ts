/** Serves the phone page of the demo: its files, its state and what its buttons do. */
import type { Sim } from "./sim.ts";

/** Undefined when the path is none of the phone's. */
export function servePhone(
  sim: Sim,
  _request: Request,
  path: string,
  _signal: AbortSignal,
): Promise<Response> | undefined {
  const fileId = /^\/phone\/files\/(\w+)$/.exec(path)?.[1];
  const file = sim.world.files.get(fileId ?? "");
  if (!file) return undefined;
  return Promise.resolve(new Response(file.bytes.slice(), { headers: { "content-type": file.mime } }));
}
