/** The simulator for a booth on another machine: `bun sim-server.ts PORT` prints its settings as an environment file. */
import { startSim } from "../sim/sim.ts";

const sim = await startSim({ port: Number(process.argv[2]) });
const settings = { ...sim.env(), AI_PROVIDERS: "offline" };
console.log(
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n"),
);
