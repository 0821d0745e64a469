import { describe, expect, it } from 'vitest';
import { notes } from '../../test-support/notes/notes-connector.ts';
import { NOTES_READING, NOTES_SEARCH } from '../../test-support/notes/notes-search.ts';
import { findingProblems } from './check-connector.ts';
import type { JsonObject } from './json.ts';
import type { SearchDefinition } from './search.ts';

describe('findingProblems', () => {
  it('finds none in a search with a reading, and without both', () => {
    expect(findingProblems(notes)).toEqual([]);
    expect(findingProblems({ ...notes, search: NOTES_SEARCH, reading: NOTES_READING })).toEqual([]);
  });

  it.each<[change: Partial<SearchDefinition>, problem: string]>([
    [{ words: { author: 'x', writer: 'x' } }, 'there is no operator writer'],
    [{ words: { author: 'x', FROM: 'x' } }, 'there is no operator FROM'],
    [{ words: { author: 'x', label: 'x' } }, 'the operator label takes no words'],
    [{ names: { subject: 'x' } }, 'the operator subject takes no names'],
    [{ states: { 'is:': 'true' } }, 'there is no state is:'],
    [{ states: { is: 'true' } }, 'there is no state is'],
    [{ states: { 'is:lost': 'true' } }, 'there is no state is:lost'],
    [{ states: { 'from:amy': 'true' } }, 'there is no state from:amy'],
    [{ words: { subject: 'x' } }, 'neither from: nor author: finds a person'],
    [{ texts: {} }, 'it has no texts'],
    [{ texts: { E: 'x' } as SearchDefinition['texts'] }, 'there is no weight E'],
    [{ document: '"a" text, b int' }, 'b int is no column of text or json'],
    [{ excerpt: ' ' }, 'the expression of excerpt is empty or has a semicolon'],
    [{ parts: 'x); drop table users; --' }, 'the expression of parts is empty or has a semicolon'],
  ])('finds the fault of %j', (change, problem) => {
    const search = { ...NOTES_SEARCH, ...change };
    expect(findingProblems({ ...notes, search, reading: NOTES_READING })).toEqual([`search: ${problem}`]);
  });

  it('finds a reading that fails or returns other values than texts', () => {
    const content = NOTES_READING.read({});
    const failing = {
      ...NOTES_READING,
      read: (note: JsonObject) => ({ ...content, text: (note.title as string).trim() }),
    };
    const odd = { ...NOTES_READING, read: () => ({ ...content, text: 7 as unknown as string }) };
    expect(findingProblems({ ...notes, reading: failing })[0]).toMatch(
      /^reading: it fails for a document with /,
    );
    expect(findingProblems({ ...notes, reading: odd })[0]).toBe(
      'reading: it returns values that are not texts',
    );
    expect(findingProblems({ ...notes, reading: { ...NOTES_READING, fields: [] } })).toEqual([
      'reading: it reads no fields',
    ]);
  });
});
