/** Connected regions of marked pixels. */

export type Region = { label: number; area: number; left: number; top: number; right: number; bottom: number };

/** Labels 4-connected regions from 1; 0 is unmarked. */
export function label(marked: Uint8Array, w: number, h: number): { labels: Int32Array; regions: Region[] } {
  const labels = new Int32Array(w * h);
  const regions: Region[] = [];
  const queue: number[] = [];
  for (let start = 0; start < labels.length; start++) {
    if (!marked[start] || labels[start]) continue;
    const region = { label: regions.length + 1, area: 0, left: w, top: h, right: 0, bottom: 0 };
    regions.push(region);
    labels[start] = region.label;
    queue.push(start);
    const visit = (i: number) => {
      if (marked[i] && !labels[i]) {
        labels[i] = region.label;
        queue.push(i);
      }
    };
    for (let i = queue.pop(); i !== undefined; i = queue.pop()) {
      const x = i % w;
      const y = (i - x) / w;
      region.area++;
      region.left = Math.min(region.left, x);
      region.right = Math.max(region.right, x);
      region.top = Math.min(region.top, y);
      region.bottom = Math.max(region.bottom, y);
      if (x > 0) visit(i - 1);
      if (x < w - 1) visit(i + 1);
      if (y > 0) visit(i - w);
      if (y < h - 1) visit(i + w);
    }
  }
  return { labels, regions };
}
