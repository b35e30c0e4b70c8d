/** Small sheets for the cutter's tests, drawn as SVG: quick to make, easy to reason about. */
import sharp from "sharp";

/** One figure: a body with a head, white border `border` pixels wide, centred at x, y, about `size` tall. */
export function figure(x: number, y: number, size: number, colour: string, border = 0): string {
  const shape = (extra: string) =>
    `<g transform="translate(${x} ${y}) scale(${size / 100})" ${extra}>` +
    `<circle cx="0" cy="-25" r="22"/><path d="M-34 50 Q-34 0 0 0 Q34 0 34 50 Z"/></g>`;
  const rim =
    border > 0
      ? shape(`fill="#fff" stroke="#fff" stroke-width="${(200 * border) / size}" stroke-linejoin="round"`)
      : "";
  return rim + shape(`fill="${colour}"`);
}

/** `columns × rows` bordered figures on a flat key. */
export function grid(columns: number, rows: number, side: number, border = 6): string {
  const cell = side / Math.max(columns, rows);
  const colours = ["#c0392b", "#2c5aa0", "#8e44ad", "#d68910", "#7f5539", "#34495e", "#e84393", "#5b4636", "#b33939"];
  let body = "";
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [((column + 0.5) * side) / columns, ((row + 0.5) * side) / rows];
      body += figure(x, y, cell * 0.62, colours[(row * columns + column) % colours.length]!, border);
    }
  }
  return body;
}

/** The SVG's pixels on `key`; without a key on real transparency. */
export function draw(body: string, side: number, key: string | null = "#00ff00") {
  const ground = key ? `<rect width="${side}" height="${side}" fill="${key}"/>` : "";
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${ground}${body}</svg>`),
  );
}
