/** What every process does alike at its edges: who it is, how it is asked to stop, how it must never end. */
import type { Config } from "./config.ts";
import { AppError, describe } from "./errors.ts";
import { isUnwritable } from "./files.ts";
import type { Log } from "./log.ts";

/** Names this process as the holder of a lease. */
export const processOwner = `${process.pid}-${Math.random().toString(36).slice(2, 8)}`;

/** Does the process that made such an owner still run on this machine? */
export function ownerIsGone(owner: string): boolean {
  const pid = Number(owner.split("-")[0]);
  if (owner.startsWith(`${processOwner}`) || pid === process.pid) return !owner.startsWith(processOwner);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === "ESRCH";
  }
}

/** One stop may come as several signals: to a whole group of processes, and once more from the parent that passes it on. */
const ONE_STOP_MS = 2_000;

/**
 * Runs `stop` at the first SIGINT or SIGTERM and ends the process; a later signal or the limit ends it at once.
 * @param limitMs shorter than the unit's TimeoutStopSec, so that systemd never has to kill
 */
export function stopOnSignal(log: Log, limitMs: number, stop: () => Promise<void>) {
  let stoppingSince: number | undefined;
  const onSignal = (signal: string) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > ONE_STOP_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    log.info({ signal }, "stopping");
    setTimeout(() => {
      log.error({ limitMs }, "stopping took too long");
      process.exit(1);
    }, limitMs).unref();
    stop().then(
      () => {
        log.info({}, "stopped");
        process.exit(0);
      },
      (error) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}

/** Ends a process that cannot start, with one line for people. */
export function refuseToStart(log: Log, error: unknown, code = 1): never {
  log.error({ err: error }, `cannot start: ${describe(error)}`);
  process.exit(code);
}

/** What kept a process from starting, in words that say what to do. */
export function startError(cause: unknown, config: Pick<Config, "HOST" | "PORT" | "DATA_DIR">): AppError {
  if (cause instanceof AppError) return cause;
  const code = (cause as { code?: string }).code;
  if (code === "EADDRINUSE") {
    return new AppError(
      "config",
      `Port ${config.PORT} on ${config.HOST} is taken by another program: stop it, or set PORT.`,
      { cause },
    );
  }
  if (isUnwritable(cause)) {
    return new AppError("data_dir", `DATA_DIR (${config.DATA_DIR}) cannot be written: give this user the folder.`, {
      cause,
    });
  }
  return new AppError("internal", "The process could not start.", { cause });
}
