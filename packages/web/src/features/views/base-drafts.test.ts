import { describe, expect, it } from 'vitest';
import { VIEW } from '../../../test-support/view.ts';
import { type BaseDraft, basesIn, nameProblems, savedBases, suggestName } from './base-drafts.ts';
import { layoutGraph } from './graph-layout.ts';

const draft = (more: Partial<BaseDraft>): BaseDraft => ({
  name: 'mails',
  providerId: 'google',
  entityLabel: 'gmail-messages',
  templateKey: 'messages-all',
  basedOn: null,
  search: '',
  account: '',
  ...more,
});

describe('drafts of bases', () => {
  it('are named by their entity, each with another name', () => {
    expect(suggestName('gh-pulls', [])).toBe('pulls');
    expect(suggestName('gh-pulls', [draft({ name: 'pulls' })])).toBe('pulls2');
    expect(suggestName('gh-workflow-runs', [])).toBe('workflow_runs');
  });

  it('report names that are missing, wrong or taken', () => {
    const names = ['', 'my mails', 'a', 'a'].map((name) => draft({ name }));
    expect(nameProblems(names)).toEqual([
      'Required',
      'Letters, digits and _ only',
      undefined,
      'Already in use',
    ]);
  });

  it('are saved with the source of the view as the first one', () => {
    const first = draft({ name: 'senders', providerId: '', entityLabel: '', templateKey: '' });
    const bases = savedBases([first, draft({ search: 'is:unread' })], VIEW);
    expect(bases).toEqual([
      { ...draft({ name: 'senders' }), templateKey: 'by-sender' },
      draft({ search: 'is:unread' }),
    ]);
  });

  it('are saved when each has a source, and read before that without those that have none', () => {
    const drafts = [draft({ name: 'a' }), draft({ name: 'b', templateKey: '' }), draft({ name: 'c' })];
    expect(savedBases(drafts, VIEW)).toBeUndefined();
    expect(basesIn(drafts, VIEW).map(({ name }) => name)).toEqual(['a', 'c']);
    expect(savedBases([], VIEW)).toEqual([]);
    expect(savedBases([draft({}), draft({ name: 'b' })], undefined)).toBeUndefined();
  });
});

describe('the graph of views with several bases', () => {
  it('has a line from each base, and places a view right of all of them', () => {
    const based = { ...VIEW, id: 'based', title: 'Based', basedOn: 'v' };
    const joined = {
      ...VIEW,
      id: 'joined',
      title: 'Joined',
      bases: [
        draft({ name: 'a', templateKey: 'by-sender' }),
        draft({ name: 'b', templateKey: '', basedOn: 'based' }),
        draft({ name: 'c', templateKey: 'labels-all' }),
      ],
    };
    const { nodes, edges, columns } = layoutGraph([VIEW, based, joined]);
    const columnOf = (title: string) => nodes.find((node) => node.title === title)?.column;
    expect(edges.filter(({ to }) => to === 'joined').map(({ from }) => from)).toEqual([
      'template:by-sender',
      'based',
      'template:labels-all',
    ]);
    expect(['by-sender', 'labels-all', 'Mine', 'Based', 'Joined'].map(columnOf)).toEqual([0, 0, 1, 2, 3]);
    expect(columns).toBe(4);
    const places = nodes.map(({ column, row }) => `${column}/${row}`);
    expect(new Set(places).size).toBe(places.length);
  });
});
