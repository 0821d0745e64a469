import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeText } from './charset.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const RUSSIAN = 'Привет, как дела? Завтра встреча в десять часов утра.';
const CHINESE = '你好，明天早上十点开会。';
const JAPANESE = 'こんにちは、明日の会議は十時です。';

describe('decodeText', () => {
  it.each([
    ['cp850', 'Größe'],
    ['cp-850', 'Größe'],
    ['IBM850', 'Größe'],
    ['cp437', 'Größe'],
    ['iso-8859-1', 'Größe'],
    ['"ISO-8859-15"', 'Größe €'],
    ['windows-1252', '„Größe“ €'],
    ['x-cp1252', '„Größe“ €'],
    ['iso-8859-2', 'Zażółć gęślą jaźń'],
    ['windows-1250', 'Zażółć gęślą jaźń'],
    ['macintosh', 'Größe'],
    ['koi8-r', RUSSIAN],
    ['windows-1251', RUSSIAN],
    ['cp866', RUSSIAN],
    ['iso-8859-7', 'Καλημέρα'],
    ['windows-1255', 'שלום'],
    ['tis-620', 'สวัสดี'],
    ['gb2312', CHINESE],
    ['gb18030', `${CHINESE}𠮷`],
    ['big5', '你好'],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['euc-kr', '안녕하세요'],
    ['ks_c_5601-1987', '안녕하세요'],
    ['utf-7', 'Größe & 東京 + 1'],
    ['unicode-1-1-utf-7', 'Größe'],
    ['utf-16le', 'Größe 東京'],
    ['utf-16be', 'Größe 東京'],
    ['utf-32le', 'Größe'],
    ['utf8mb4', 'Größe'],
  ])('decodes the declared charset %s', (charset, text) => {
    const codec = charset
      .replaceAll('"', '')
      .replace('unicode-1-1-', '')
      .replace('utf8mb4', 'utf8')
      .replace('x-cp', 'cp');
    expect(decodeText(iconv.encode(text, codec), { charset })).toBe(text);
  });

  it.each([
    ['iso-2022-jp', '\x1b$B$3$s\x1b(B ok \x1b(I1\x1b(B', 'こん ok ｱ'],
    ['', '\x1b$B$3$s\x1b(B', 'こん'],
    ['iso-2022-kr', '\x1b$)C\x0eGQ1[\x0f ok', '한글 ok'],
    ['iso-2022-kr', '\x0eGQ1[\x0f', '한글'],
    ['iso-2022-cn', '\x1b$)A\x0e=;;;\x0f', '交换'],
    ['hz-gb-2312', '~{<:Ky2;~} ~~ ok', '己所不 ~ ok'],
    ['utf-16', '\xff\xfeG\0r\0\xf6\0', 'Grö'],
    ['utf-16', '\xfe\xff\0G\0r\0\xf6', 'Grö'],
    ['utf-16le', '\xfe\xff\0G\0r\0\xf6', 'Grö'],
    ['utf-16', '\0G\0r\0\xf6', 'Grö'],
    ['utf-16', 'plain', 'plain'],
    ['utf-7', '1 + 1 = 2 +- 3', '1 + 1 = 2 +- 3'],
    ['utf-8', 'Sch\xf6ne Gr\xfc\xdfe', 'Schöne Grüße'],
    ['utf-8', 'caf\xe9', 'café'],
    ['utf-8', 'Gr\xc3\xb6\xc3\x9fe und Gr\xfc\xdfe', 'Größe und Grüße'],
    ['utf-8', 'Gr\xc3\xb6\xc3\x9fe \xe2\x82', 'Größe '],
    ['utf-8', '\xef\xbb\xbfGr\xc3\xb6\xc3\x9fe', 'Größe'],
    ['us-ascii', 'Gr\xf6\xdfe', 'Größe'],
    ['', 'Gr\xc3\xb6\xc3\x9fe', 'Größe'],
    ['iso-8859-1', 'Gr\xc3\xb6\xc3\x9fe', 'Größe'],
    ['gb2312', 'Gr\xc3\xb6\xc3\x9fe', 'Größe'],
    ['x-klingon', 'Gr\xf6\xdfe', 'Größe'],
    ['hex', 'Gr\xf6\xdfe', 'Größe'],
    ['base64', 'Gr\xf6\xdfe', 'Größe'],
    ['"utf-8";', 'Gr\xc3\xb6\xc3\x9fe', 'Größe'],
  ])('decodes %s with other or wrong bytes: %j', (charset, source, text) =>
    expect(decodeText(bytes(source), { charset })).toBe(text),
  );

  it.each([
    ['koi8-r', RUSSIAN],
    ['windows-1251', RUSSIAN],
    ['gbk', CHINESE],
    ['big5', '你好，明天早上十點開會。'],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['euc-kr', '안녕하세요, 내일 회의는 열 시입니다.'],
  ])('detects %s where no charset is declared', (charset, text) => {
    for (const declared of ['', 'us-ascii', 'utf-8', 'unknown-8bit'])
      expect(decodeText(iconv.encode(text, charset), { charset: declared })).toBe(text);
  });

  it('keeps a text that the provider has converted to UTF-8', () => {
    const converted = { charset: 'gb2312', isConverted: true };
    expect(decodeText(Buffer.from('ΑΒ'), converted)).toBe('ΑΒ');
  });

  it('never returns U+FFFD for bytes without a known charset, and takes linear time', () => {
    const begun = performance.now();
    for (const charset of ['', 'utf-8', 'iso-8859-1', 'iso-2022-kr', 'hz', 'utf-7', 'x'])
      for (const piece of [
        '\xe9',
        '\xc3\xa9\xe9',
        '\x80',
        '\xff',
        '\x0e!',
        '\x1b$B',
        '\x1b$',
        '~{',
        '+A',
        '\xe2\x82',
        '=',
      ]) {
        const text = decodeText(bytes(piece.repeat(20_000)), { charset });
        if (!/2022|hz|7/.test(charset) && !piece.includes('\x1b')) expect(text).not.toContain('\ufffd');
      }
    expect(performance.now() - begun).toBeLessThan(8000);
  });
});
