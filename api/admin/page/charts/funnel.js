// A funnel: how many came how far.
import { percent } from "../format.js";
import { bar, picture, text } from "./parts.js";

const ROW = 40;
/** On a phone the names stand above their bars. */
const ROW_ON_PHONE = 52;
const NARROW = 560;
const NAMES = 190;
const NUMBERS = 96;
const THICK = 26;

/** @param {{label: string, count: number}[]} stages @param {number} width in pixels */
export function funnelChart(stages, width) {
  const first = Math.max(1, stages[0]?.count ?? 0);
  const isNarrow = width < NARROW;
  const row = isNarrow ? ROW_ON_PHONE : ROW;
  const left = isNarrow ? 0 : NAMES;
  const down = isNarrow ? 20 : 6;
  const label = stages.map((stage) => `${stage.label}: ${stage.count}`).join(", ");
  return picture(
    width,
    row * stages.length,
    label,
    stages.map(({ label: name, count }, i) => {
      const y = i * row;
      const length = Math.max(count > 0 ? 4 : 1, ((width - left - NUMBERS) * count) / first);
      const share = i === 0 ? "" : ` · ${percent(count / first)}`;
      return [
        text(0, isNarrow ? y + 14 : y + 24, name),
        bar(count > 0 ? "bar" : "axis", left + length / 2, y + down, length, THICK, `${name}: ${count}`),
        text(left + length + 8, y + down + 18, `${count}${share}`, "start", "value"),
      ];
    }),
  );
}
