import { createLanding } from "../handler.ts";
import { readSettings } from "../settings.ts";

/** The only file that knows a host: the landing as an edge function of Vercel (see docs/landing.md). */
export const config = { runtime: "edge" };

const { settings, faults } = readSettings(process.env);
const landing = createLanding(settings, { log: (event) => console.log(JSON.stringify(event)) });

/** The host overwrites `X-Real-IP` with the visitor's address, so nobody can forge it. */
export default function handle(request: Request): Promise<Response> {
  if (faults.length > 0) throw new Error(`The landing cannot start: ${faults.join(" ")}`);
  return landing(request, request.headers.get("x-real-ip") ?? undefined);
}
