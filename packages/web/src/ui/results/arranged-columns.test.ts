import { columnLayoutSchema } from '@datadeck/contract';
import { columnsOf } from '@datadeck/contract/table-columns';
import { describe, expect, it } from 'vitest';
import { arrange, visibleOf, withHidden, withPlace, withWidth } from './arranged-columns.ts';

const row = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]));
const columnsNamed = (names: readonly string[]) => columnsOf([row(names)]);
const namesOf = (columns: readonly { name: string }[]) => columns.map(({ name }) => name);

/** Returns a repeatable number below a limit. */
function numbersFrom(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % limit;
  };
}

describe('arrange', () => {
  it('shows new fields after those of the layout', () => {
    const layout = [{ name: 'c' }, { name: 'gone' }, { name: 'a', isHidden: true }];
    const arranged = arrange(columnsNamed(['a', 'b', 'c', 'd']), layout);
    expect(namesOf(arranged)).toEqual(['c', 'a', 'b', 'd']);
    expect(namesOf(visibleOf(arranged))).toEqual(['c', 'b', 'd']);
  });

  it('shows all columns if the layout hides every one', () => {
    expect(namesOf(visibleOf(arrange(columnsNamed(['a']), [{ name: 'a', isHidden: true }])))).toEqual(['a']);
  });

  it('keeps what a layout says of columns of other pages', () => {
    const layout = [{ name: 'other', width: 90 }];
    const arranged = arrange(columnsNamed(['a', 'b']), layout);
    expect(withHidden(arranged, layout, ['b', true])).toEqual([
      { name: 'a' },
      { name: 'b', isHidden: true },
      { name: 'other', width: 90 },
    ]);
  });

  it('keeps every choice within the bounds of the contract, with any names', () => {
    const next = numbersFrom(7);
    const names = ['__proto__', 'constructor', '', 'ü', 'x'.repeat(101)].concat(
      Array.from({ length: 150 }, (_, index) => `field ${index}`),
    );
    const columns = columnsOf([JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:1`).join()}}`)]);
    let layout = columnLayoutSchema.parse([]);
    for (let step = 0; step < 300; step++) {
      const arranged = arrange(columns, layout);
      const name = arranged[next(arranged.length)]?.name ?? '';
      const at = arranged[next(arranged.length)]?.name ?? '';
      if (step % 3 === 0) layout = withHidden(arranged, layout, [name, step % 2 === 0]);
      else if (step % 3 === 1) layout = withWidth(arranged, layout, [name, next(3000) - 500]);
      else layout = withPlace(arranged, layout, [name, at]);
      expect(columnLayoutSchema.parse(layout)).toEqual(layout);
      expect(namesOf(arrange(columns, layout)).toSorted()).toEqual(names.toSorted());
    }
  });
});

describe('withPlace', () => {
  it('moves a column to the place of another one, in both directions', () => {
    const arranged = arrange(columnsNamed(['a', 'b', 'c']));
    expect(namesOf(withPlace(arranged, [], ['a', 'c']))).toEqual(['b', 'c', 'a']);
    expect(namesOf(withPlace(arranged, [], ['c', 'a']))).toEqual(['c', 'a', 'b']);
  });
});
