import { describe, expect, test } from 'vitest';
import { parseElements } from './json-elements.ts';

const elements = (text: string) =>
  parseElements(Buffer.from(text), (element, source) => ({ element, source: source.toString() }));

function randomJson(random: () => number, depth = 0): string {
  const pick = Math.floor(random() * (depth > 3 ? 4 : 6));
  const space = [' ', '', '\n', '\t\r\n'][Math.floor(random() * 4)] ?? '';
  if (pick === 0) return String(Math.floor(random() * 1e6) - 5e5);
  if (pick === 1) return ['true', 'false', 'null'][Math.floor(random() * 3)] ?? 'null';
  if (pick <= 3)
    return JSON.stringify(
      ['', 'a"b', '\\', '\\"', '[{,', 'é😀', '\u0000', ']'].slice(0, 1 + Math.floor(random() * 8)).join('x'),
    );
  const inner = Array.from({ length: Math.floor(random() * 5) }, () => randomJson(random, depth + 1));
  if (pick === 4) return `[${space}${inner.join(`${space},${space}`)}${space}]`;
  return `{${space}${inner.map((value, index) => `"k${index}\\\\"${space}:${value}`).join(`${space},`)}${space}}`;
}

describe('parseElements', () => {
  test('reads what JSON.parse reads, and gives each element its own text', async () => {
    let seed = 42;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    for (let round = 0; round < 2000; round++) {
      const text = ` [${Array.from({ length: round % 6 }, () => randomJson(random)).join(' ,\n')} ]\n`;
      const read = (await elements(text)) ?? [];
      expect(read.map(({ element }) => element)).toEqual(JSON.parse(text));
      for (const { element, source } of read) expect(JSON.parse(source)).toEqual(element);
    }
  });

  test('refuses what is no JSON, wherever it breaks', async () => {
    const whole = '[{"a":[1,"x\\"]"],"b":{}},[],"s",12,null]';
    for (let length = 1; length < whole.length; length++)
      await expect(elements(whole.slice(0, length)), whole.slice(0, length)).rejects.toThrow(SyntaxError);
    for (const text of [
      '[1,]',
      '[,1]',
      '[1,,2]',
      '[{"a":[}]]',
      '[1]x',
      '[1}',
      '[1][2]',
      '{',
      'x',
      '[tru]',
      '["a" "b"]',
    ])
      await expect(elements(text), text).rejects.toThrow(SyntaxError);
  });

  test('refuses what is nested more than 1,000 deep', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(await elements(nested(1000))).toHaveLength(1);
    await expect(elements(nested(1001))).rejects.toThrow('nested too deeply');
  });

  test('tells JSON that is no list', async () => {
    expect(await elements('{"message":"Not Found"}')).toBeUndefined();
    expect(await elements('[]')).toEqual([]);
    expect(await elements(' [ ] ')).toEqual([]);
  });
});
