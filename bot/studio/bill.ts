/** The bill: every call of an artist leaves its row, failures included. */
import { noteUsage } from "../../shared/usage.ts";
import type { BotContext } from "../context.ts";
import type { Bill } from "./artists.ts";
import { costOf } from "./prices.ts";

const REASON_LENGTH = 300;

/** @param jobId null for a call that no guest's pack asked for */
export function noteBill({ db, now }: BotContext, jobId: number | null, { provider, purpose, reply, ms }: Bill) {
  const { model, spent, outcome } = reply;
  noteUsage(db, {
    job_id: jobId,
    provider,
    model,
    purpose,
    outcome,
    reason: reply.outcome === "ok" ? null : reply.reason.slice(0, REASON_LENGTH),
    input_tokens: spent.inputTokens,
    output_tokens: spent.outputTokens,
    images: spent.images,
    usd: costOf(model, spent),
    ms: Math.round(ms),
    at: now(),
  });
}
