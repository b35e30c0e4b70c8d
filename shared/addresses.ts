/** People's addresses are never stored: only an HMAC of them, to tell whether two calls came from one place. */
import type { Database } from "bun:sqlite";
import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Config } from "./config.ts";
import { secretOnce } from "./settings.ts";

const MARK_BYTES = 16;

export type AddressMark = (address: string) => string;

/** Makes the function that turns an address into its mark; the salt is the configured one, or one made once for this booth. */
export function addressMarks(db: Database, config: Pick<Config, "LEADS_IP_SALT">, now: number): AddressMark {
  const salt = config.LEADS_IP_SALT ?? secretOnce(db, "leads_ip_salt", now);
  return (address) =>
    createHmac("sha256", salt).update(networkOf(address)).digest().subarray(0, MARK_BYTES).toString("base64url");
}

/**
 * The part of an address that stands for one household: an IPv4 address as it is, of IPv6 the first 64 bits, because a
 * single visitor has the rest to choose from. What is no address stands for itself.
 */
export function networkOf(address: string): string {
  const plain = address.trim().toLowerCase().replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped) return mapped;
  if (!plain.includes(":") || !isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const first = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const gap = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array<string>(gap).fill("0"), ...last];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
