/** The npm package of the pinned Bun for a server, proven by the checksum that bun.lock has for it. */
import { createHash } from "node:crypto";
import { devDependencies } from "../../package.json";

const PACKAGES: Record<string, string> = { x86_64: "bun-linux-x64", aarch64: "bun-linux-aarch64" };
const TIMEOUT_MS = 10 * 60_000;

export const bunVersion = devDependencies.bun;

/** @param machine what `uname -m` says on the server */
export function packageFor(machine: string): string {
  const name = PACKAGES[machine];
  if (!name) throw new Error(`Bun is not made for ${machine}.`);
  return name;
}

/** The SHA-512 of a package's file, in base64, as bun.lock has it. */
export function lockedSha512(lock: string, name: string): string {
  const line = lock.split("\n").find((text) => text.includes(`["@oven/${name}@${bunVersion}"`));
  const sha512 = /"sha512-([A-Za-z0-9+/=]+)"/.exec(line ?? "")?.[1];
  if (!sha512) throw new Error(`bun.lock has no checksum of @oven/${name}@${bunVersion}.`);
  return sha512;
}

/** Fetches the package from wherever this workstation's registry keeps it. @throws when it is not the one of bun.lock */
export async function fetchBun(name: string, lock: string): Promise<Uint8Array> {
  const asked = Bun.spawnSync([process.execPath, "info", `@oven/${name}@${bunVersion}`, "dist.tarball"]);
  const url = asked.stdout.toString().trim();
  if (asked.exitCode !== 0 || !url)
    throw new Error(`The registry does not tell where @oven/${name} is: ${asked.stderr}`);
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`@oven/${name} could not be fetched: ${response.status}`);
  const bytes = await response.bytes();
  if (createHash("sha512").update(bytes).digest("base64") !== lockedSha512(lock, name))
    throw new Error(`@oven/${name} is not the file that bun.lock names (SHA-512 differs): nothing was sent.`);
  return bytes;
}
