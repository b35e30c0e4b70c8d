/** What the AI calls cost: one row each, failures included. */
import type { Database } from "bun:sqlite";

export type Purpose = "selfie" | "sheet" | "draw" | "tryout";

export type Usage = {
  job_id: number | null;
  provider: string;
  model: string;
  purpose: Purpose;
  outcome: string;
  reason: string | null;
  input_tokens: number;
  output_tokens: number;
  images: number;
  usd: number;
  ms: number;
  at: number;
};

export function noteUsage(db: Database, usage: Usage) {
  db.query(
    `INSERT INTO ai_usage (job_id, provider, model, purpose, outcome, reason, input_tokens, output_tokens, images, usd, ms, at)
     VALUES ($job_id, $provider, $model, $purpose, $outcome, $reason, $input_tokens, $output_tokens, $images, $usd, $ms, $at)`,
  ).run(usage);
}

/** Dollars spent since an instant. */
export const spentSince = (db: Database, since: number) =>
  (db.query("SELECT coalesce(sum(usd), 0) AS usd FROM ai_usage WHERE at >= ?").get(since) as { usd: number }).usd;
