import type { Setting } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { scopeInWords } from './scope-words.ts';

const settings = [
  { propKey: 'owner', type: 'text' },
  { propKey: 'repo', type: 'text' },
  { propKey: 'drafts', type: 'boolean' },
] as Setting[];

const LABELS = { propKey: 'labelIds', type: 'text' } as Setting;

describe('scopeInWords', () => {
  it('lists the text settings of a sync in the order of its form', () => {
    const sync = { entitySettings: { repo: 'harbor', owner: 'aurora-labs', drafts: 'true' } };
    expect(scopeInWords(sync, { settings })).toBe('aurora-labs / harbor');
    expect(scopeInWords({ entitySettings: {} }, { settings })).toBe('');
    expect(scopeInWords(sync, { settings: [] })).toBe('');
    expect(scopeInWords(sync, undefined)).toBe('');
  });

  const labelNames = [
    { id: 'INBOX', name: 'INBOX' },
    { id: 'Label_1', name: 'Receipts' },
    { id: 'Label_12', name: 'Travel, 2026' },
  ];

  it.each([
    ['Label_1', 'Receipts'],
    ['INBOX,Label_12', 'INBOX, Travel, 2026'],
    [' Label_1 , INBOX', 'Receipts, INBOX'],
    ['Label_99,Label_1', 'Label_99, Receipts'],
    ['INBOX,SENT', 'INBOX, SENT'],
  ])('names the labels of %s', (labelIds, expected) => {
    const entity = { settings: [LABELS], valueNames: { labelIds: labelNames } };
    expect(scopeInWords({ entitySettings: { labelIds } }, entity)).toBe(expected);
  });

  it('keeps a value that is no list of ids, even if a part of it is an id', () => {
    const entity = { settings: [LABELS], valueNames: { others: labelNames } };
    expect(scopeInWords({ entitySettings: { labelIds: 'Label_1,old' } }, entity)).toBe('Label_1,old');
  });
});
