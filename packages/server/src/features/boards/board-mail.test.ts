import { expect, it } from 'vitest';
import { writeBoardMail } from './board-mail.ts';

it('leaves cells empty where a row lacks a field, also one with the name of what objects inherit', () => {
  const rows: unknown[] = [{ a: 1 }, { a: 2, toString: 'own', constructor: 'own' }];
  const { text } = writeBoardMail({
    title: 'Board',
    tiles: [{ kind: 'rows', title: 'Rows', rows, count: 2 }],
    url: 'https://example.org',
  });
  expect(text.split('\n')).toEqual(expect.arrayContaining(['  1', '  2 · own · own']));
});
