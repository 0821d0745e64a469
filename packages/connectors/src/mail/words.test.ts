import { describe, expect, it } from 'vitest';
import { decodeWords } from './words.ts';

describe('decodeWords', () => {
  it.each([
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?UTF-8*de?b?R3LDvMOfZQ==?=', 'Grüße'],
    ['=?iso-8859-1?Q?Gr=FC=DFe_aus?= Bonn', 'Grüße aus Bonn'],
    ['=?cp850?Q?Gr=81=E1e?=', 'Grüße'],
    ['=?cp-850?Q?Gr=81=E1e?=', 'Grüße'],
    ['=?ibm437?Q?=80=87?=', 'Çç'],
    ['=?utf-7?Q?Gr+APwA3w-e?=', 'Grüße'],
    ['=?iso-2022-kr?B?GyQpQw5HUTFbDw==?=', '한글'],
    ['=?iso-2022-jp?B?GyRCRWw1fhsoQg==?=', '東京'],
    ['=?koi8-u?B?8NLJ18XU?=', 'Привет'],
    ['=?macroman?Q?Gr=9F=A7e?=', 'Grüße'],
    ['=?utf-8?Q?Gr=FC=DFe?=', 'Grüße'],
    ['=?x-unknown?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?=', 'Grüße'],
    ['=?utf-8?B?R3LD?=\r\n =?utf-8?Q?=BC=C3=9Fe?=', 'Grüße'],
    ['=?utf-8?Q?a?= b =?utf-8?Q?c?=', 'a b c'],
    ['=?utf-8?Q?Really??=', 'Really?'],
    ['=?utf-8?Q?one two?=', 'one two'],
    ['=?utf-8?Q?open', '=?utf-8?Q?open'],
    ['=?utf-8?X?a?=', '=?utf-8?X?a?='],
    ['a =? b ?= c', 'a =? b ?= c'],
    ['2 =?3', '2 =?3'],
    ['', ''],
  ])('reads %s', (value, text) => {
    expect(decodeWords(value)).toBe(text);
  });

  it.each(['=?', '=?a?b?', '=?a?b?=?', '?=', '=?a?q?='])('takes linear time for many %s', (piece) => {
    const begin = performance.now();
    decodeWords(piece.repeat(20_000));

    expect(performance.now() - begin).toBeLessThan(2000);
  });
});
