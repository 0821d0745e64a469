import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { ViewGraphDialog } from './view-graph-dialog.tsx';

const views = [
  { ...VIEW, id: 'base', title: 'Base' },
  { ...VIEW, id: 'one', title: 'One', basedOn: 'base' },
  { ...VIEW, id: 'two', title: 'Two', basedOn: 'base' },
  { ...VIEW, id: 'three', title: 'Three', basedOn: 'two' },
];

/** Returns the corner points of each line. */
function linesOf(root: HTMLElement): { x: number; y: number }[][] {
  return [...root.querySelectorAll('path')].map((path) =>
    (path.getAttribute('d') ?? '').split(/[ML]/).flatMap((point) => {
      const [x, y] = point.split(',').map(Number);
      return x === undefined || y === undefined ? [] : [{ x, y }];
    }),
  );
}

/** Returns the points at which lines leave and enter a box. */
function portsOf(title: string): { out: { x: number; y: number }; into: { x: number; y: number } } {
  const box = screen.getByTitle(title);
  const style = box.parentElement?.style;
  const left = Number.parseFloat(style?.left ?? '');
  const y = Number.parseFloat(style?.top ?? '') + Number.parseFloat(box.style.height) / 2;
  return { into: { x: left, y }, out: { x: left + Number.parseFloat(box.style.width), y } };
}

describe('ViewGraphDialog', () => {
  it('draws lines from the right side of a base to the left side of its dependees', () => {
    const { baseElement } = renderAs(
      { mayChange: true },
      <ViewGraphDialog views={views} selected="" onSelect={() => {}} onClose={() => {}} />,
    );

    const ends = linesOf(baseElement.querySelector('section') ?? baseElement).map((line) => [
      line[0],
      line.at(-1),
    ]);
    const between = (from: string, to: string) => [portsOf(from).out, portsOf(to).into];

    expect(ends).toHaveLength(4);
    for (const [from, to] of [
      ['by-sender', 'Base'],
      ['Base', 'One'],
      ['Base', 'Two'],
      ['Two', 'Three'],
    ] as const)
      expect(ends).toContainEqual(between(from, to));
  });

  it('draws the lines of one view along one trunk, with right angles', () => {
    const { baseElement } = renderAs(
      { mayChange: true },
      <ViewGraphDialog views={views} selected="" onSelect={() => {}} onClose={() => {}} />,
    );
    const lines = linesOf(baseElement.querySelector('section') ?? baseElement);
    const { out } = portsOf('Base');
    const trunks = lines
      .filter(([start]) => start?.x === out.x && start.y === out.y)
      .map((line) => line[1]?.x);
    expect(trunks).toHaveLength(2);
    expect(new Set(trunks).size).toBe(1);
    for (const line of lines)
      for (const [index, corner] of line.slice(1).entries())
        expect(corner.x === line[index]?.x || corner.y === line[index]?.y).toBe(true);
  });
});
