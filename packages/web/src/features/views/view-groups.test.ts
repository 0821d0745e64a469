import { describe, expect, it } from 'vitest';
import { VIEW } from '../../../test-support/view.ts';
import type { View } from '../../api/models.ts';
import { layoutGraph } from './graph-layout.ts';
import { groupViews } from './view-groups.ts';

const view = (id: string, change: Partial<View> = {}): View => ({ ...VIEW, id, title: id, ...change });

describe('groupViews', () => {
  it('groups views by category, uncategorised ones last, without empty groups', () => {
    const categories = [
      { id: 'c1', title: 'One' },
      { id: 'c2', title: 'Two' },
    ];
    const groups = groupViews(
      [view('a'), view('b', { category: 'c2' }), view('c', { category: 'gone' })],
      categories,
    );
    expect(groups.map(({ category, views }) => [category?.title ?? null, views.map(({ id }) => id)])).toEqual(
      [
        ['Two', ['b']],
        [null, ['a', 'c']],
      ],
    );
  });
});

describe('layoutGraph', () => {
  it('puts each view one column right of its base, without overlaps', () => {
    const graph = layoutGraph([
      view('a'),
      view('b', { basedOn: 'a' }),
      view('c', { basedOn: 'a' }),
      view('d', { templateKey: 'u' }),
    ]);
    const columns = Object.fromEntries(graph.nodes.map(({ id, column }) => [id, column]));
    expect(columns).toEqual({ 'template:by-sender': 0, a: 1, b: 2, c: 2, 'template:u': 0, d: 1 });
    expect(new Set(graph.nodes.map(({ column, row }) => `${column}:${row}`)).size).toBe(graph.nodes.length);
    expect(graph.edges).toContainEqual({ from: 'a', to: 'c' });
  });
});
