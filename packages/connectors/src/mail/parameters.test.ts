import { describe, expect, it } from 'vitest';
import { readParameters } from './parameters.ts';

describe('readParameters', () => {
  it.each([
    ["attachment; filename*=utf-8''Gr%C3%BC%C3%9Fe.txt", 'Grüße.txt'],
    ["attachment; filename*=cp850''Gr%81%E1e.txt", 'Grüße.txt'],
    ['attachment; filename*=iso-8859-1\'de\'Gr%FC%DFe.txt; filename="old.txt"', 'Grüße.txt'],
    ["attachment; filename*1*=%BC%C3%9Fe; filename*0*=utf-8''Gr%C3; filename*2=.txt", 'Grüße.txt'],
    ['attachment; filename*0="a"; filename*1=".txt"', 'a.txt'],
    ['attachment; filename*0="a"; filename*2=".txt"', 'a'],
    ['attachment; filename*0="=?utf-8?Q?Gr=C3"; filename*1="=BC?="', 'Grü'],
    ['attachment; filename="a.txt"', 'a.txt'],
    ['attachment; filename="a;b.txt"; size=1', 'a;b.txt'],
    ['attachment; filename="C:\\temp\\a \\"b\\".txt"', 'C:\\temp\\a "b".txt'],
    ['attachment; filename=my file (1).txt; size=1', 'my file (1).txt'],
    ['attachment; FileName = "a.txt"', 'a.txt'],
    ['attachment; filename="a.txt', 'a.txt'],
    ['attachment; filename="a.txt" size=1', 'a.txt'],
    ['attachment; filename="a.txt"; filename="b.txt"', 'a.txt'],
    ['attachment filename=a.txt', 'a.txt'],
    ['attachment; filename==?utf-8?B?R3LDvA==?=', 'Grü'],
    ['attachment; filename=', ''],
    ['attachment', undefined],
    ['', undefined],
  ])('reads a file name from %s', (header, name) => {
    expect(readParameters(header).get('filename')).toBe(name);
  });

  it.each([
    ['text/plain; charset=us-ascii (Plain text)', 'us-ascii'],
    ['text/plain charset=utf-8', 'utf-8'],
    ['text/plain; name="a.txt" charset=utf-8', 'utf-8'],
    ['text/plain;; flag; charset = "utf-8" ;', 'utf-8'],
    ['text/plain;charset=utf-8;charset=koi8-r', 'utf-8'],
  ])('reads a charset from %s', (header, charset) => {
    expect(readParameters(header).get('charset')).toBe(charset);
  });

  it.each(['a=', 'a="', '"', ';', '=;', 'a="" ', ' ', 'a*1*=%41;', 'a=(', "a*0*='"])(
    'takes linear time for many %s',
    (piece) => {
      const begin = performance.now();
      readParameters(`text/plain; ${piece.repeat(30_000)}`);

      expect(performance.now() - begin).toBeLessThan(2000);
    },
  );
});
