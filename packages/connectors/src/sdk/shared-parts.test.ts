import { describe, expect, test } from 'vitest';
import { parseElements } from './json-elements.ts';
import { SharedParts, type SharedPiece } from './shared-parts.ts';

const big = (id: number, extra = '') =>
  JSON.stringify({ id, url: `https://example.org/${id}`, text: 'x'.repeat(2500), extra });

interface Read {
  element: unknown;
  source: string;
  pieces: { text: string; part: string }[];
}

async function read(json: string | Buffer, parts: SharedParts): Promise<Read[]> {
  const elements = await parseElements(
    Buffer.from(json),
    (element: unknown, source: Buffer, pieces: readonly SharedPiece[]) => ({
      element,
      source: source.toString(),
      pieces: pieces.map(({ start, end, part }) => ({
        text: source.subarray(start, end).toString(),
        part: part.text.toString(),
      })),
    }),
    parts,
  );
  return elements ?? [];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** All that parsing tells must be what JSON.parse tells, whatever was recognised. */
async function readTruly(json: string, parts: SharedParts): Promise<Read[]> {
  const found = await read(json, parts);
  expect(found.map(({ element }) => element)).toEqual(JSON.parse(json));
  for (const { element, source, pieces } of found) {
    expect(JSON.parse(source)).toEqual(element);
    for (const { text, part } of pieces) expect(text).toBe(part);
  }
  return found;
}

describe('shared parts', () => {
  test('a large object is recognised from its second time on, in its list and in later ones', async () => {
    const parts = new SharedParts();
    const json = `[{"a":${big(1)},"n":1},{"b":[1,${big(1)}],"c":${big(2)}}, {"c":${big(2)},"a":${big(1)}}]`;
    const [first, second, third] = await readTruly(json, parts);
    expect([first, second, third].map((one) => one?.pieces.length)).toEqual([0, 1, 2]);
    expect((await readTruly(`[{"z":${big(2)}}]`, parts))[0]?.pieces).toHaveLength(1);
    expect((await readTruly(`[{"z":${big(2)}}]`, new SharedParts()))[0]?.pieces).toHaveLength(0);
  });

  test('one that differs in a byte is another; both are known then', async () => {
    const parts = new SharedParts();
    await readTruly(`[{"a":${big(1, 'one')}},{"a":${big(1, 'two')}}]`, parts);
    const found = await readTruly(
      `[{"a":${big(1, 'two')}},{"a":${big(1, 'one')}},{"a":${big(1, 'six')}}]`,
      parts,
    );
    expect(found.map(({ pieces }) => pieces.length)).toEqual([1, 1, 0]);
  });

  test('what holds one that is known and little else is none itself, nor is an element', async () => {
    const parts = new SharedParts();
    const outer = (n: number) => `{"n":${n},"pad":"${'y'.repeat(900)}","inner":${big(1)}}`;
    const found = await readTruly(`[{"o":${big(1)}},{"o":${outer(1)}},{"o":${outer(1)}},${big(1)}]`, parts);
    expect(found.map(({ pieces }) => pieces.map(({ text }) => text.length))).toEqual([
      [],
      [big(1).length],
      [big(1).length],
      [],
    ]);
  });

  test('small objects, arrays and strings that look like a part are left alone', async () => {
    const parts = new SharedParts();
    const text = JSON.stringify(big(1));
    const json = `[{"a":${big(1)},"s":{"id":1}},{"s":{"id":1},"t":${text},"l":[${'7,'.repeat(2000)}7]},{"t":${text},"l":[${'7,'.repeat(2000)}7]}]`;
    expect((await readTruly(json, parts)).flatMap(({ pieces }) => pieces)).toEqual([]);
  });

  test('one alone in a list, or in a list of lists, stays in it', async () => {
    const parts = new SharedParts();
    const json = `[{"a":[${big(1)}]},{"a":[${big(1)}],"b":[[${big(1)}]],"c":[[[${big(1)}],${big(1)}]]}]`;
    expect((await readTruly(json, parts)).map(({ pieces }) => pieces.length)).toEqual([0, 4]);
  });

  test('keys of every name, numbers of every size and characters beyond ASCII come through', async () => {
    const parts = new SharedParts();
    const odd = `{"__proto__":${big(1)},"constructor":{"__proto__":null},"é😀":[${2 ** 52},${2 ** 53 - 1},-0,1e300,[${2 ** 53 - 1}],[[1]],[null]]}`;
    const found = await readTruly(`[${odd},${odd},{"x":${big(2, 'é😀')}},{"x":${big(2, 'é😀')}}]`, parts);
    expect(found.map(({ pieces }) => pieces.length)).toEqual([0, 1, 0, 1]);
    expect(Object.keys(found[1]?.element as object)).toContain('__proto__');
    expect(({} as { id?: number }).id).toBeUndefined();
  });

  test('what is recognised hides no error', async () => {
    const parts = new SharedParts();
    await readTruly(`[{"a":${big(1)}}]`, parts);
    for (const json of [
      `[{${big(1)}:1}]`,
      `[{"a":${big(1)}`,
      `[{"a":${big(1)}}`,
      `[{"a":${big(1)} 1}]`,
      `[{"a" ${big(1)}}]`,
      `[{"a":${big(1)}${big(1)}}]`,
      `[{"a":${big(1)}]]`,
      `[{"a":${big(1)},}]`,
      `[{"a":x${big(1)}}]`,
      `[{"a":1${big(1)}}]`,
      `[{"a":-${big(1)}}]`,
      `[{"a":[]${big(1)}}]`,
      `[{"a":${big(1).slice(0, -1)}]`,
    ])
      await expect(read(json, parts), json.slice(0, 30)).rejects.toThrow(SyntaxError);
  });

  test('a list that was changed by a byte anywhere is read as JSON.parse reads it', async () => {
    const whole = `[{"n":1,"a":{"r":${big(1)},"k":[true,null]}},{"a":${big(1)},"b":${big(2)}},{"b":${big(2)},"s":"x"}]`;
    const parts = new SharedParts();
    await readTruly(whole, parts);
    const bytes = '{}[]",:\\ 0-e.x';
    // Everywhere around the borders of the large objects, and here and there inside.
    const places = Array.from({ length: whole.length }, (_, place) => place).filter(
      (place) => place % 97 === 0 || !whole.slice(place - 12, place + 12).includes('xxxxxxxxxxxx'),
    );
    let refused = 0;
    for (const place of places) {
      for (const byte of bytes) {
        for (const json of [
          whole.slice(0, place) + byte + whole.slice(place + 1),
          whole.slice(0, place) + byte + whole.slice(place),
        ]) {
          const wanted = isJson(json) ? (JSON.parse(json) as unknown) : undefined;
          const found = await read(json, parts).catch((error: unknown) => {
            expect(error).toBeInstanceOf(SyntaxError);
            return undefined;
          });
          if (wanted === undefined) refused++;
          expect(
            found?.map(({ element }) => element),
            json.slice(place - 20, place + 20),
          ).toEqual(wanted);
        }
      }
    }
    expect(refused).toBeGreaterThan(1000);
  });

  test('an object of a page that is no JSON is not believed later', async () => {
    const parts = new SharedParts();
    const broken = `{"id":1,"text":"${'x'.repeat(2500)}","bad":tru}`;
    await expect(read(`[{"a":${broken}}]`, parts)).rejects.toThrow(SyntaxError);
    await expect(read(`[{"a":${broken}}]`, parts)).rejects.toThrow(SyntaxError);
  });

  test('a part takes no document deeper than is read', async () => {
    const parts = new SharedParts();
    const deep = `{"id":1,"text":"${'x'.repeat(2500)}","deep":${'['.repeat(49)}${']'.repeat(49)}}`;
    const within = (depth: number) => `[${'['.repeat(depth)}${deep}${']'.repeat(depth)}]`;
    await readTruly(within(1), parts);
    await readTruly(within(1), parts);
    await expect(read(within(960), parts)).rejects.toThrow('nested too deeply');
  });

  test('is remembered as long as there is room', async () => {
    const parts = new SharedParts();
    await readTruly(`[{"a":${big(1)}}]`, parts);
    for (let id = 10_000; id < 11_900; id++) await read(`[{"a":${big(id)}}]`, parts);
    expect((await read(`[{"a":${big(1)}}]`, parts))[0]?.pieces).toHaveLength(1);
    for (let id = 20_000; id < 22_100; id++) await read(`[{"a":${big(id)}}]`, parts);
    expect((await read(`[{"a":${big(1)}}]`, parts))[0]?.pieces).toHaveLength(0);
  });

  test('of those of many kilobytes only as many are remembered as some megabytes hold', async () => {
    const parts = new SharedParts();
    const huge = (id: number) => big(id, 'z'.repeat(50_000));
    await readTruly(`[{"a":${huge(1)}}]`, parts);
    for (let id = 1000; id < 1300; id++) await read(`[{"a":${huge(id)}}]`, parts);
    expect((await read(`[{"a":${huge(1)}}]`, parts))[0]?.pieces).toHaveLength(1);
    for (let id = 2000; id < 2350; id++) await read(`[{"a":${huge(id)}}]`, parts);
    expect((await read(`[{"a":${huge(1)}}]`, parts))[0]?.pieces).toHaveLength(0);
  });

  test('a smaller object, as of a user, is recognised from its third time on; also within larger ones', async () => {
    const parts = new SharedParts();
    const user = (login: string) => `{"login":"${login}","id":1,"pad":"${'p'.repeat(600)}"}`;
    const repo = `{"name":"a/b","text":"${'x'.repeat(2500)}","owner":${user('ada')}}`;
    const found = await readTruly(
      `[{"u":${user('ada')}},{"u":${user('ada')}},{"u":${user('ada')},"r":${repo}},{"r":${repo},"u":${user('bob')}}]`,
      parts,
    );
    expect(found.map(({ pieces }) => pieces.map(({ text }) => text.length))).toEqual([
      [],
      [],
      [user('ada').length, user('ada').length],
      [repo.length],
    ]);
  });

  test('what begins alike and is never the same is not remembered for long', async () => {
    const parts = new SharedParts();
    const links = (id: number) => `{"self":{"href":"https://example.org/${id}"},"pad":"${'p'.repeat(600)}"}`;
    for (let id = 100; id < 120; id++) await read(`[{"l":${links(id)}}]`, parts);
    for (let time = 1; time <= 3; time++)
      expect((await read(`[{"l":${links(119)}}]`, parts))[0]?.pieces).toEqual([]);
  });
});
