/** What the models charge, in dollars per million tokens. As of November 2026: look at the providers' price pages before an event. */
import type { Spent } from "./providers/provider.ts";

type Price = { input: number; output: number };

/** Model names by their beginning, the most particular first; a model that none fits is billed as the dearest. */
const PRICES: [string, Price][] = [
  ["offline", { input: 0, output: 0 }],
  // A 2K picture is 1,680 output tokens: about five cents.
  ["gemini-nano-banana", { input: 1.5, output: 30 }],
  ["gemini-", { input: 1.5, output: 7.5 }],
  ["gpt-image", { input: 8, output: 30 }],
  ["gpt-5.4-mini", { input: 0.75, output: 4.5 }],
];
const UNKNOWN: Price = { input: 8, output: 30 };

export function costOf(model: string, spent: Spent): number {
  const price = PRICES.find(([name]) => model.startsWith(name))?.[1] ?? UNKNOWN;
  return (spent.inputTokens * price.input + spent.outputTokens * price.output) / 1_000_000;
}
