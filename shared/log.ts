/** Logs as JSON lines on standard output. They name requests, jobs and sessions, never people, contacts, tokens or photos. */
import pino from "pino";
import { describe } from "./errors.ts";

export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
};

/**
 * A log that stamps each line with the process's name. An `err` field is written as a short redacted text,
 * because a foreign error may carry a whole request with its secrets.
 */
export function createLog(service: string, level = "info", destination?: { write(line: string): void }): Log {
  return pino(
    {
      base: { service },
      level,
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      messageKey: "message",
      serializers: { err: (error: unknown) => describeWithCause(error) },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

function describeWithCause(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (because ${describe(error.cause)})` : "";
  return describe(error) + cause;
}

/** Enough of a session's token to find its lines, too little to use it. */
export const shortToken = (token: string) => token.slice(0, 8);
