/** What the fuzz tests share: how many runs, arbitrary bodies near good ones, and bytes that are a little wrong. */
import fc from "fast-check";

/** `FUZZ_RUNS=20` runs each property twenty times as often. */
const FACTOR = Math.max(1, Number(process.env.FUZZ_RUNS ?? 1) || 1);
/** Usual runs are the same each time, so that red means a change; longer ones and `FUZZ_SEED=n` look elsewhere. */
const USUAL_SEED = 1;
const anywhere = () => Math.floor(Math.random() * 2 ** 31);
const SEED = process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : FACTOR === 1 ? USUAL_SEED : anywhere();
export const runs = (usual: number) => ({ numRuns: usual * FACTOR, seed: SEED });
/** For `setDefaultTimeout`: a longer run needs longer. */
export const FUZZ_MS = 60_000 * FACTOR;

const nasty = [
  "",
  " ",
  "\0",
  "\u202e\u2066",
  "\ud800",
  "👨‍👩‍👧‍👦",
  "oʻgʻil",
  "<b>&lt;</b><script>",
  "'; DROP TABLE leads; --",
  "../../etc/passwd",
  "%00%2e%2e",
  "__proto__",
  "constructor",
  "1e309",
  "-0",
  "a".repeat(5000),
];
export const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const scalar = fc.oneof(
  text,
  // The last one is nothing that a sentence could quote.
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], { toString: 1, valueOf: 1 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
export const anything = fc.oneof(scalar, fc.jsonValue({ maxDepth: 3 }));

/** A good object with some fields left out, changed, or added; or with one of them at most, which passes the first rules. */
export const near = (good: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> => {
  const keys = Object.keys(good);
  const name = fc.constantFrom(...keys, "__proto__", "x");
  return fc
    .oneof(
      fc.tuple(fc.subarray(keys), fc.dictionary(name, anything)),
      fc.tuple(fc.constant(keys), fc.dictionary(name, anything, { maxKeys: 1 })),
    )
    .map(([kept, changed]) => ({ ...Object.fromEntries(kept.map((key) => [key, good[key]])), ...changed }));
};

/** Texts that are JSON, nearly JSON, or nothing of the kind. */
export const jsonText = (good: Record<string, unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: near(good).map((value) => JSON.stringify(value)) },
    fc.json(),
    text,
    fc.constantFrom("[".repeat(2000), '{"a":'.repeat(500), `${JSON.stringify(good)}garbage`, "\ufeff{}", "NaN"),
    fc.tuple(near(good), fc.nat(200)).map(([value, end]) => JSON.stringify(value).slice(0, end)),
  );

type Change = { at: number; kind: "flip" | "zero" | "cut" | "insert" | "repeat"; value: number };

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom("flip", "flip", "zero", "cut", "insert", "repeat"),
  value: fc.integer({ min: 0, max: 255 }),
});

/** Bytes of one of these files after a few small damages; many in the header, where decoders believe most. */
export const damaged = (files: Uint8Array[]): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 6 }), fc.boolean())
    .map(([file, changes, header]) => changes.reduce((bytes, one) => damage(bytes, one, header), file));

const HEADER_BYTES = 96;
const PIECE_BYTES = 16;

function damage(bytes: Uint8Array, { at, kind, value }: Change, header: boolean): Uint8Array {
  const offset = Math.floor(at * Math.max(0, (header ? Math.min(HEADER_BYTES, bytes.length) : bytes.length) - 1));
  const copy = Uint8Array.from(bytes);
  if (kind === "cut") return header ? copy.slice(offset) : copy.slice(0, offset);
  if (kind === "zero") return copy.fill(value, offset, offset + PIECE_BYTES);
  if (kind === "flip") {
    if (offset < copy.length) copy[offset] = value;
    return copy;
  }
  const piece =
    kind === "insert" ? new Uint8Array(PIECE_BYTES).fill(value) : copy.slice(offset, offset + PIECE_BYTES * value);
  return Uint8Array.from(Buffer.concat([copy.subarray(0, offset), piece, copy.subarray(offset)]));
}
