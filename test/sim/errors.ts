import type { JsonObject } from "./types.ts";

/** An answer of the Bot API that is not `ok`. `wrongCall` marks calls that no sound bot would make. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    readonly description: string,
    readonly options: { parameters?: JsonObject; wrongCall?: boolean } = {},
  ) {
    super(description);
  }
}

/** 400 for a state of the world that a sound bot may run into. */
export function refuse(description: string, parameters?: JsonObject): never {
  throw new Refusal(400, `Bad Request: ${description}`, { parameters });
}

/** 400 for a call that is wrong in itself; it is noted in `sim.violations` too. */
export function wrong(description: string): never {
  throw new Refusal(400, `Bad Request: ${description}`, { wrongCall: true });
}
