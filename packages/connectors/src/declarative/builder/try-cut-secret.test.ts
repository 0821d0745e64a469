import { describe, expect, it } from 'vitest';
import { ENCODINGS } from '../../../test-support/declarative/encodings.ts';
import { tryAgainst } from '../../../test-support/declarative/try-against.ts';
import { SecretHider } from './hide-secret.ts';

/** Characters of a secret that nothing may show one after the other. */
const PART = 6;
/** Lengths at which texts are cut: quoted values, examples, columns, messages, types, answers. */
const CUTS = [80, 100, 200, 300, 500, 20_000];
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_./+=~';

function randomsOf(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}

function secretOf(length: number, random: (most: number) => number): string {
  return Array.from({ length }, () => ALPHABET[random(ALPHABET.length)] ?? '').join('');
}

const partsOf = (text: string, length: number) =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));

/** Expects no part of a secret, plain or as it was repeated. */
function expectNothingOf(secret: string, encode: (text: string) => string, shown: unknown): void {
  const echo = encode(secret);
  // What an encoding adds says nothing.
  const other = encode('?'.repeat(secret.length));
  const text = JSON.stringify(shown).toLowerCase();
  const encoded = Math.ceil((echo.length * PART) / secret.length) + 3;
  const parts = [...partsOf(secret, PART), ...partsOf(echo, encoded).filter((part) => !other.includes(part))];
  expect(parts.filter((part) => text.includes(part.toLowerCase()))).toEqual([]);
}

const MORE: [string, (text: string) => string][] = [
  ...ENCODINGS,
  ['in capital letters', (text) => text.toUpperCase()],
  ['backwards', (text) => [...text].reverse().join('')],
  ['without its last characters', (text) => text.slice(0, -4)],
  ['without its first characters', (text) => text.slice(4)],
];

describe('a secret that is repeated where texts are cut', () => {
  it.each(MORE)('is not shown in part: %s', async (_, encode) => {
    const random = randomsOf(encode('a').length + 7);
    for (const length of [16, 60]) {
      const secret = secretOf(length, random);
      const echo = encode(secret);
      const around = CUTS.flatMap((cut) =>
        [0, 1, 2, 3].map(
          () => `${'x '.repeat(cut).slice(0, cut - 1 - random(echo.length))}${echo}${' y'.repeat(200)}`,
        ),
      );
      const items = around.map((text, index) => ({
        id: index,
        title: text,
        created: text,
        updated: text,
        more: { text },
        [`name ${echo}`]: 1,
      }));
      for (const status of [200, 400]) {
        const trial = await tryAgainst(
          (_request, response) => {
            const type = `text/plain; a=${(around[8] ?? '').replace(/[^\x20-\x7e]/g, '')}`;
            response.writeHead(status, { 'content-type': type });
            // As it is: JSON would escape what is escaped already.
            const answer = JSON.stringify({ note: 'NOTE', items }).replaceAll(
              JSON.stringify(echo).slice(1, -1),
              echo,
            );
            const isJson = !/"|\\(?!u|\/)/.test(echo);
            response.end(isJson ? answer : JSON.stringify({ note: 'NOTE', items }));
          },
          {
            secret,
            changes: {
              columns: {
                title: { type: 'text', value: 'record.title' },
                updated: { type: 'time', value: 'record.updated' },
                number: { type: 'integer', value: '$number(record.title)' },
                failing: { type: 'text', value: '$error(record.title)' },
                literal: { type: 'integer', value: `'${'x'.repeat(70)}' & ${JSON.stringify(secret)}` },
              },
              sortedBy: 'updated',
            },
          },
        );
        expectNothingOf(secret, encode, trial);
      }
    }
  });

  it('is hidden at any length from eight characters on, and nothing else is', () => {
    const random = randomsOf(3);
    for (let round = 0; round < 200; round++) {
      const secret = secretOf(12 + random(60), random);
      const hider = new SecretHider([secret]);
      const from = random(secret.length - 8);
      const piece = secret.slice(from, from + 8 + random(secret.length));
      const before = 'Ticket 17 about printers: “'.slice(random(10));
      expect(hider.hide(`${before}${piece}”, it said.`)).toBe(`${before}•••”, it said.`);
      expect(hider.hide(before.repeat(20))).toBe(before.repeat(20));
    }
  });
});
