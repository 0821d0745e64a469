import { describe, expect, it } from 'vitest';
import { badgesOf, keyOf, keyProblem, publishObstacle } from './connector-words.ts';

describe('badgesOf', () => {
  it.each([
    [{ state: 'draft', version: null, draftAt: '2026-01-01' }, ['Draft']],
    [{ state: 'published', version: 3, draftAt: null }, ['Published v3']],
    [{ state: 'published', version: 3, draftAt: '2026-01-01' }, ['Published v3', 'Unpublished changes']],
    [{ state: 'withdrawn', version: 3, draftAt: null }, ['Withdrawn']],
  ] as const)('names the state of %j', (connector, texts) => {
    expect(badgesOf(connector).map(({ text }) => text)).toEqual(texts);
  });
});

describe('publishObstacle', () => {
  const ready = { draftAt: '2026-01-01', isDirty: false, isReadable: true, problems: [] };
  it.each([
    [{}, undefined],
    [{ isReadable: false }, 'The document cannot be read. Correct it first.'],
    [{ isDirty: true }, 'Save the draft first.'],
    [{ draftAt: null }, 'There are no changes to publish.'],
    [{ problems: [{ path: 'key', message: 'Required' }] }, 'Correct 1 problem first.'],
  ])('says what %j needs', (changes, sentence) => {
    expect(publishObstacle({ ...ready, ...changes })).toBe(sentence);
  });
});

describe('keys', () => {
  it.each([
    ['Help desk', 'help-desk'],
    ['  42 Äpfel & Birnen!', 'apfel-birnen'],
    ['日本', ''],
    ['x'.repeat(40), 'x'.repeat(26)],
  ])('makes a key of the title %j', (title, key) => expect(keyOf(title)).toBe(key));

  it('refuses keys that are malformed or taken', () => {
    expect(keyProblem('', [])).toBe('Required');
    expect(keyProblem('Help', [])).toMatch(/small letters/);
    expect(keyProblem('help', ['help'])).toMatch(/already/);
    expect(keyProblem('help', [])).toBeUndefined();
  });
});
