/** The log of calls and the one way in which each call passes holds and faults. */
import { bluntAnswer, type FaultAction, Faults, lostAnswer, truncated } from "./faults.ts";
import type { Call, JsonObject } from "./types.ts";

/** The usual answer to a call. Provider outcomes and page faults reach it as `special`. */
export type Answer = (call: Call, special: FaultAction | undefined) => Response | Promise<Response>;

/** Uploads of so many last calls stay in the log; those before only say what was asked. */
const FILES_KEPT = 500;

export class Journal {
  readonly calls: Call[] = [];
  readonly violations: string[] = [];
  readonly faults = new Faults();

  constructor(private readonly changed: () => void) {}

  /** `signal` ends when the caller hangs up or the simulator stops. */
  async pass(
    target: string,
    params: JsonObject,
    files: Record<string, Uint8Array>,
    signal: AbortSignal,
    answer: Answer,
  ): Promise<Response> {
    const call: Call = { target, params, files, at: Date.now(), outcome: "pending" };
    this.calls.push(call);
    const old = this.calls.at(-1 - FILES_KEPT);
    if (old) old.files = {};
    this.changed();
    await this.faults.pass(call);
    const response = await this.answered(call, signal, answer);
    call.ms = Date.now() - call.at;
    this.changed();
    return response;
  }

  private async answered(call: Call, signal: AbortSignal, answer: Answer): Promise<Response> {
    const action = this.faults.take(call);
    if (action && "delayMs" in action) {
      await Bun.sleep(action.delayMs);
      return await this.usual(call, answer, undefined);
    }
    if (action && "executeThenLose" in action) {
      await this.usual(call, answer, undefined);
      call.outcome += `, answer lost (${action.executeThenLose})`;
      this.changed();
      return await lostAnswer(action.executeThenLose, signal);
    }
    if (action && "truncate" in action) {
      const whole = await this.usual(call, answer, undefined);
      call.outcome += ", answer truncated";
      return await truncated(whole);
    }
    const blunt = action && bluntAnswer(action, signal);
    if (!blunt) return await this.usual(call, answer, action);
    call.outcome = `fault: ${JSON.stringify(action)}`;
    this.changed();
    return await blunt;
  }

  private async usual(call: Call, answer: Answer, special: FaultAction | undefined): Promise<Response> {
    const response = await answer(call, special);
    if (call.outcome === "pending") call.outcome = response.ok ? "ok" : `refused ${response.status}`;
    return response;
  }
}
