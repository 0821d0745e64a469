import type { Setting } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { scopeInWords } from './scope-words.ts';

const settings = [
  { propKey: 'owner', type: 'text' },
  { propKey: 'repo', type: 'text' },
  { propKey: 'drafts', type: 'boolean' },
] as Setting[];

describe('scopeInWords', () => {
  // @covers 10.history-says-sync
  it('lists the text settings of a sync in the order of its form', () => {
    const sync = { entitySettings: { repo: 'harbor', owner: 'aurora-labs', drafts: 'true' } };
    expect(scopeInWords(sync, { settings })).toBe('aurora-labs / harbor');
    expect(scopeInWords({ entitySettings: {} }, { settings })).toBe('');
    expect(scopeInWords(sync, { settings: [] })).toBe('');
    expect(scopeInWords(sync, undefined)).toBe('');
  });
});
