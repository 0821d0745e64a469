import { describe, expect, it } from 'vitest';
import { notes } from '../../test-support/notes/notes-connector.ts';
import { scopeProblems } from './check-scopes.ts';
import type { ScopeDefinition } from './scopes.ts';

const SCOPES: ScopeDefinition = {
  one: 'notebook',
  many: 'notebooks',
  settings: ['notebook'],
  patterns: () => [{ pattern: '*', title: 'All notebooks' }],
  nameOf: ({ notebook = '' }) => notebook,
  settingsOf: (notebook) => ({ notebook }),
  problemOf: (text) => (/^([a-z]{1,100}|\*)$/.test(text) ? undefined : 'A notebook has small letters.'),
  isPattern: (text) => text === '*',
  selects: () => true,
  async *list() {},
};

describe('scopeProblems', () => {
  it('finds none without scopes, and in right ones', () => {
    const { scopes: _, ...without } = notes;
    expect(scopeProblems(without, true)).toEqual([]);
    expect(scopeProblems({ ...notes, scopes: SCOPES }, true)).toEqual([]);
  });

  it.each<[change: Partial<ScopeDefinition>, problem: string]>([
    [{ one: ' ' }, 'it has no word for a scope'],
    [{ settings: ['notebook', 'shelf'] }, 'there is no setting shelf'],
    [{ settings: [] }, 'its names do not say the required setting notebook'],
    [
      { problemOf: (text) => (text.includes('#') ? undefined : SCOPES.problemOf(text)) },
      'it takes "a/b#c" as a name',
    ],
    [{ isPattern: () => false }, 'it does not take its own pattern *'],
    [{ patterns: () => [{ pattern: '*', title: '' }] }, 'its pattern * has no title'],
  ])('finds the fault of %j', (change, problem) => {
    const scopes = { ...SCOPES, ...change };
    expect(scopeProblems({ ...notes, scopes }, true)).toContain(`scopes: ${problem}`);
  });

  it('takes names that other protocols than HTTP have', () => {
    const scopes = {
      ...SCOPES,
      problemOf: (text: string) => (/^[ -~]{1,1000}$/.test(text) ? undefined : 'That is no name.'),
    };
    expect(scopeProblems({ ...notes, scopes }, false)).toEqual([]);
    expect(scopeProblems({ ...notes, scopes }, true)).toContain('scopes: it takes "../a" as a name');
  });
});
