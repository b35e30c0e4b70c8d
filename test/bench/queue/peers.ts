/**
 * The peers' few calls that the benchmark makes. Their packages are the benchmark's own (`bun install --cwd test/bench`),
 * so they are loaded by name, and what is used of them is written down here.
 */
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";

const MODULES = join(import.meta.dir, "../node_modules");

type Plain = {
  bun(db: Database): unknown;
  defineQueue(options: { connection: unknown; logger?: object }): {
    add(type: string, data: unknown): { id: number };
    getAndMarkJobAsProcessing(type: string): { id: number } | undefined;
    markJobAsDone(id: number): void;
    close(): void;
  };
  defineWorker(
    type: string,
    work: (job: { id: number; data: string }) => void,
    options: { queue: unknown; logger?: object; pollIntervall: number },
  ): { start(): Promise<void>; stop(): Promise<void> };
};

type Bunqueue = {
  Queue: new (
    name: string,
    options: { embedded: true; dataPath: string },
  ) => { add(name: string, data: unknown, options: { durable: true }): Promise<unknown>; close(): unknown };
  Worker: new (
    name: string,
    work: () => Promise<unknown>,
    options: { embedded: true; dataPath: string; concurrency: number },
  ) => { on(event: "completed", listener: () => void): void; close(): Promise<void> };
  /** Forgets the process's one store, when all its queues and workers are closed. */
  shutdownManager(): void;
};

type Hono = {
  Hono: new () => {
    get(path: string, handler: (context: HonoContext) => Response): void;
    post(path: string, handler: (context: HonoContext) => Promise<Response>): void;
    fetch(request: Request): Response | Promise<Response>;
  };
};
export type HonoContext = {
  req: { param(name: string): string; json(): Promise<unknown> };
  json(body: unknown, status?: number): Response;
};

/** Peers write a line about each job to the console otherwise. */
export const silent = { error() {}, warn() {}, info() {}, debug() {} };

const load = async <T>(name: string): Promise<T> => {
  if (!existsSync(join(MODULES, name.split("/")[0] as string)))
    throw new Error("The peers are not installed: bun install --cwd test/bench");
  return (await import(Bun.resolveSync(name, join(MODULES, "..")))) as T;
};
export const plainjob = () => load<Plain>("plainjob");
export const bunqueue = () => load<Bunqueue>("bunqueue/client");
export const hono = () => load<Hono>("hono");
