import type { ScopeChoice } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { SCOPE_CHOICE } from '../../../test-support/objects.ts';
import { countChosen, groupChoices, isCovered } from './scope-choice.ts';

const choice = (name: string, change: Partial<ScopeChoice> = {}): ScopeChoice => ({
  ...SCOPE_CHOICE,
  name,
  title: name,
  group: name.split('/')[0] ?? '',
  ...change,
});
const RESULTS = [choice('octo/a'), choice('octo/fork', { isFork: true }), choice('ada/b')];
const PATTERNS = [
  { pattern: 'octo/*', title: 'All repositories of octo', count: 9 },
  { pattern: 'octo/* -forks', title: '… without forks', count: 7 },
  { pattern: 'octo/* -archived', title: '… without archived ones', count: 9 },
  { pattern: 'octo/* -forks -archived', title: '… without both', count: 7 },
  { pattern: 'far/*', title: 'All repositories of far', count: 2 },
];
const LISTED = { results: RESULTS, patterns: PATTERNS };

describe('groupChoices', () => {
  it('groups by owner, and leaves out patterns that choose as many as another', () => {
    const groups = groupChoices(LISTED, { search: '', chosen: [] });
    expect(groups.map(({ name }) => name)).toEqual(['octo', 'ada', 'far']);
    expect(groups[0]?.patterns.map(({ pattern }) => pattern)).toEqual(['octo/*', 'octo/* -forks -archived']);
    const kept = groupChoices(LISTED, { search: '', chosen: ['octo/* -archived'] })[0]?.patterns;
    expect(kept?.map(({ pattern }) => pattern)).toContain('octo/* -archived');
  });

  it('shows an owner without a listed repository only if its name matches the search', () => {
    const names = (search: string) =>
      groupChoices({ results: [], patterns: PATTERNS }, { search, chosen: [] }).map(({ name }) => name);
    expect(names('fa')).toEqual(['far']);
    expect(names('zzz')).toEqual([]);
  });
});

describe('isCovered', () => {
  it('follows what a pattern leaves out', () => {
    expect(isCovered(choice('Octo/a'), ['octo/* -forks'])).toBe(true);
    expect(isCovered(choice('octo/f', { isFork: true }), ['octo/* -forks'])).toBe(false);
    expect(isCovered(choice('octo/f', { isArchived: true }), ['octo/* -forks -archived'])).toBe(false);
    expect(isCovered(choice('Trash', { group: '', isTrash: true }), ['* -trash'])).toBe(false);
    expect(isCovered(choice('Trash', { group: '', isTrash: true }), ['*'])).toBe(true);
    expect(isCovered(choice('ada/b'), ['octo/*', 'ada/b'])).toBe(false);
  });
});

describe('countChosen', () => {
  it('counts each repository once, as far as it is listed', () => {
    expect(countChosen(['octo/*', 'octo/* -forks', 'octo/a', 'ada/b', 'far/x'], LISTED)).toBe(11);
    expect(countChosen([], LISTED)).toBe(0);
  });
});
