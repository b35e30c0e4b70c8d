/** `bun run env`: writes `.env.example` anew from the schema. */
import { envExample } from "./config.ts";

await Bun.write(new URL("../.env.example", import.meta.url), envExample());
