import type { Json, JsonObject } from "../types.ts";
import type { World } from "./world.ts";

/** What a method gets: parameters that passed `checkParams`, uploaded parts by name, and the caller's connection. */
export type Request = {
  world: World;
  params: JsonObject;
  files: Record<string, Uint8Array>;
  signal: AbortSignal;
};
export type Method = (request: Request) => unknown;

/** A checked parameter as text; undefined when absent. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A checked parameter as a number; undefined when absent. */
export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The bytes that a parameter of type InputFile brings along, if it was an upload. */
export function uploaded(files: Record<string, Uint8Array>, value: Json | undefined): Uint8Array | undefined {
  const name = textOf(value)?.match(/^attach:\/\/(.+)$/)?.[1];
  return name === undefined ? undefined : files[name];
}
