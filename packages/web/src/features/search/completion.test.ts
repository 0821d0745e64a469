import { describe, expect, it } from 'vitest';
import { completionPart, completionsOf } from './completion.ts';

const TODAY = '2026-11-25';

/** Completes a text at its `¦`. @returns the texts after each completion */
function complete(marked: string, known: readonly string[] = []): string[] {
  const cursor = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const part = completionPart(text, cursor);
  if (!part) return [];
  return completionsOf(part, known, TODAY).map(
    ({ insert }) => text.slice(0, part.from) + insert + text.slice(part.to),
  );
}

describe('completion of a search', () => {
  it.each([
    ['fr¦', ['from:']],
    ['report F¦ x', ['report from: x', 'report filename: x']],
    ['👩‍👩‍👧 fr¦', ['👩‍👩‍👧 from:']],
    ['-lab¦', ['-label:']],
    ['la¦', ['label:', 'larger:']],
    ['(au¦', ['(author:']],
    ['(au¦)', ['(author:)']],
    ['fr¦om', []],
    ['x ¦', []],
    ['"fr¦', []],
    [`${'x '.repeat(500)}fr¦`, []],
    ['zzz¦', []],
    ['foo:b¦', []],
    ['subject:x¦', []],
  ])('offers operators for %s', (text, expected) => {
    expect(complete(text)).toEqual(expected);
  });

  it.each([
    ['is:un¦', [], ['is:unread ']],
    ['is:unread¦', [], []],
    ['has:¦', [], ['has:attachment ']],
    ['after:y¦', [], ['after:yesterday ']],
    ['after:2026-1¦', [], ['after:2026-11-25 ', 'after:2026-11 ']],
    ['older_than:¦ x', [], ['older_than:7d  x', 'older_than:1m  x', 'older_than:3m  x', 'older_than:1y  x']],
    ['label:to¦', ['to do', 'today'], ['label:"to do" ', 'label:today ']],
    ['label:"to d¦', ['to do'], ['label:"to do" ']],
    ['label:"to d¦" x', ['to do'], ['label:"to do"  x']],
    ['label:"to do"¦', ['to do'], []],
    ['-from:a¦', ['amy@example.org'], ['-from:amy@example.org ']],
    ['FROM:a¦', ['amy'], ['from:amy ']],
  ])('offers values for %s', (text, known, expected) => {
    expect(complete(text, known)).toEqual(expected);
  });

  it('offers at most eight values', () => {
    const known = Array.from({ length: 20 }, (_, index) => `label ${index}`);
    expect(complete('label:¦', known)).toHaveLength(8);
  });
});
