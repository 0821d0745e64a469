import { describe, expect, it } from 'vitest';
import { type BodyPart, bodyTextsOf, typeOf } from './body-texts.ts';

interface Sample extends BodyPart {
  id: string;
}

/** Returns a part from its description: `text/plain`, `+` before a named, `!` before an attached and `-` before a blank one. */
function leaf(description: string): Sample {
  const [, marks = '', type = ''] = /^([+!-]*)(.*)$/.exec(description) ?? [];
  return {
    id: description,
    type,
    isNamed: marks.includes('+'),
    isAttached: marks.includes('!'),
    isBlank: marks.includes('-'),
    children: [],
  };
}

function multipart(subtype: string, ...children: (string | Sample)[]): Sample {
  const parts = children.map((child) => (typeof child === 'string' ? leaf(child) : child));
  return { ...leaf(`multipart/${subtype}`), children: parts };
}

const [TEXT, HTML, PDF] = ['text/plain', 'text/html', '!+application/pdf'];

describe('bodyTextsOf', () => {
  it.each<[Sample, string[]]>([
    [leaf('+text/plain'), ['+text/plain']],
    [leaf('!+text/plain'), []],
    [multipart('alternative', '+text/plain', '+text/html'), ['+text/plain', '+text/html']],
    [multipart('alternative', TEXT, '+text/html'), [TEXT, '+text/html']],
    [multipart('mixed', '+text/html', PDF), ['+text/html']],
    [multipart('mixed', PDF, '+text/html'), ['+text/html']],
    [multipart('mixed', '+text/html', TEXT), ['+text/html', TEXT]],
    [multipart('mixed', TEXT, '+text/html'), [TEXT]],
    [multipart('mixed', TEXT, '!text/html'), [TEXT]],
    [multipart('related', '+text/html', '+image/png'), ['+text/html']],
    [multipart('mixed', multipart('related', '+text/html', 'image/png'), TEXT), ['+text/html', TEXT]],
    [multipart('alternative', TEXT, multipart('mixed', '+text/html', PDF)), [TEXT, '+text/html']],
    [multipart('mixed', PDF, multipart('alternative', '+text/plain', HTML)), ['+text/plain', HTML]],
    [multipart('alternative', TEXT, 'text/calendar'), [TEXT]],
    [multipart('mixed', 'text/calendar', PDF), ['text/calendar']],
    [multipart('mixed', '+text/calendar', PDF), []],
    [leaf('text/markdown'), ['text/markdown']],
    [leaf('image/png'), []],
    [multipart('mixed', '-text/plain', '+text/html'), ['-text/plain', '+text/html']],
    [multipart('mixed', '-text/plain', 'text/markdown'), ['text/markdown']],
    [leaf('-text/plain'), ['-text/plain']],
    [leaf('plain/text'), ['plain/text']],
    [leaf('+odd/odd'), []],
    [multipart('mixed', TEXT, 'odd/odd'), [TEXT]],
    [multipart('mixed'), []],
  ])('finds the texts of %j', (root, ids) => expect([...bodyTextsOf(root)].map(({ id }) => id)).toEqual(ids));
});

describe('typeOf', () => {
  it.each([
    ['text/HTML; charset=utf-8', 'text/html'],
    ['text/html charset=utf-8', 'text/html'],
    ['text', 'text/plain'],
    ['', 'text/plain'],
    ['; charset=utf-8', 'text/plain'],
    ['text/', 'text/plain'],
    ['text/$email_type', 'text/$email_type'],
    ['(odd) text/html', 'text/html'],
    ['text/html(odd)', 'text/html'],
    [`'text/html'`, 'text/html'],
  ])('reads %j', (header, type) => expect(typeOf(header)).toBe(type));
});
