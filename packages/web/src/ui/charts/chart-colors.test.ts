import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Triple = readonly [number, number, number];

/** What people see: all colours, without red, green or blue cones (Machado et al. 2009, severity 1). */
const VISIONS: Record<string, readonly Triple[]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix: readonly Triple[], [r, g, b]: Triple) =>
  matrix.map((row) => row[0] * r + row[1] * g + row[2] * b) as unknown as Triple;

/** Reads `#rrggbb` as linear light. */
function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

/** Returns a colour in OKLab, where distances are those that people see. */
function okLab(color: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  ).map(Math.cbrt) as unknown as Triple;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

const luminance = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(linear(one)) + 0.05, luminance(linear(other)) + 0.05];
  return Math.max(a / b, b / a);
}

/** Returns the colours of a scheme by name. */
function colorsOf(scheme: 'light' | 'dark'): Map<string, string> {
  const styles = readFileSync(join(import.meta.dirname, '../../index.css'), 'utf8');
  const from = styles.indexOf(scheme === 'light' ? ':root {' : '[data-theme="dark"] {');
  const block = styles.slice(from, styles.indexOf('}', from));
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]),
  );
}

/** Smallest distance in OKLab: more than three times what people just notice. */
const APART = 0.07;

describe.each(['light', 'dark'] as const)('the colours of series in %s', (scheme) => {
  const all = colorsOf(scheme);
  const surface = all.get('surface') ?? '';
  const names = [...all.keys()].filter((name) => name.startsWith('chart-'));
  const series = names.map((name) => all.get(name) ?? '');

  it('have a contrast of 3:1 to the surface', () => {
    expect(names).toHaveLength(9);
    for (const color of series) expect(contrast(color, surface), color).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.keys(VISIONS))('differ from each other in %s vision', (vision) => {
    const seen = series.map((color) =>
      okLab(
        times(VISIONS[vision] ?? [], linear(color)).map((part) =>
          Math.min(1, Math.max(0, part)),
        ) as unknown as Triple,
      ),
    );
    for (const [index, a] of seen.entries())
      for (const [other, b] of seen.slice(0, index).entries()) {
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        expect(distance, `${series[index]} and ${series[other]}`).toBeGreaterThan(APART);
      }
  });
});
