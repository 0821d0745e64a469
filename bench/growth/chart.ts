/** Points of one curve: number of records, milliseconds. */
export interface Curve {
  name: string;
  points: readonly (readonly [records: number, ms: number])[];
}

const WIDTH = 900;
const HEIGHT = 520;
const MARGIN = { left: 70, right: 260, top: 40, bottom: 50 };
const COLOURS = [
  '#1f77b4',
  '#d62728',
  '#2ca02c',
  '#9467bd',
  '#ff7f0e',
  '#17becf',
  '#8c564b',
  '#e377c2',
  '#7f7f7f',
];

/** Draws curves over logarithmic axes as an SVG document. */
export function chartOf(title: string, curves: readonly Curve[]): string {
  const points = curves.flatMap((curve) => curve.points);
  const [lowX, highX] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [lowY, highY] = [Math.min(1, ...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y), 10)];
  const place = (value: number, low: number, high: number) =>
    Math.log10(value / low) / Math.max(1e-9, Math.log10(high / low));
  const x = (value: number) => MARGIN.left + place(value, lowX, highX) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number) =>
    HEIGHT - MARGIN.bottom - place(value, lowY, highY) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const decades = [0.1, 1, 10, 100, 1000, 10_000].filter((ms) => ms >= lowY && ms <= highY);
  const lines = decades.map(
    (ms) =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(ms)}" y2="${y(ms)}" stroke="#ddd"/><text x="${MARGIN.left - 8}" y="${y(ms) + 4}" text-anchor="end">${ms} ms</text>`,
  );
  const sizes = [...new Set(points.map(([records]) => records))].map(
    (records) =>
      `<text x="${x(records)}" y="${HEIGHT - MARGIN.bottom + 22}" text-anchor="middle">${records.toLocaleString('en')}</text>`,
  );
  const drawn = curves.map(({ name, points: ofCurve }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = ofCurve.map(([records, ms]) => `${x(records)},${y(Math.max(ms, lowY))}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/><text x="${WIDTH - MARGIN.right + 12}" y="${MARGIN.top + 16 * index}" fill="${colour}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/><text x="${MARGIN.left}" y="22" font-size="15">${title}</text>${[...lines, ...sizes, ...drawn].join('')}</svg>\n`;
}
