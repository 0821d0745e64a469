import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { safeFileName } from './file-name.ts';

const nameOf = (filename: string, mimeType = 'application/pdf') => safeFileName({ filename, mimeType });

describe('the name of a saved file', () => {
  it.each([
    ['invoice.pdf', 'invoice.pdf'],
    ['Vertrag Schulung.pdf', 'Vertrag Schulung.pdf'],
    ['بيروت.png', 'بيروت.png'],
    ['👨‍👩‍👧 می‌خواهم.jpg', '👨‍👩‍👧 می‌خواهم.jpg'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\Windows\\system32\\a.dll', 'C__Windows_system32_a.dll'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['a\u200bb\u2066c\u00ad\ufeff.txt', 'abc.txt'],
    ['a\r\nSet-Cookie: x.txt', 'aSet-Cookie_ x.txt'],
    ['.bashrc', 'bashrc'],
    ['a.pdf. . ', 'a.pdf'],
    ['CON', '_CON'],
    ['nul.tar.gz', '_nul.tar.gz'],
    ['COM1.txt', '_COM1.txt'],
    ['console.txt', 'console.txt'],
    ['CON .txt', '_CON .txt'],
    ['lpt¹ \u2800 .txt', '_lpt¹ .txt'],
    ['\u3164.bashrc', 'bashrc'],
    ['葛\u{e0100}.pdf', '葛\u{e0100}.pdf'],
    ['❤\ufe0f.\u200dpdf', '❤\ufe0f.pdf'],
    ['a\ud800b\0.pdf', 'a\ufffdb.pdf'],
    ['<b>"x"|y?.html', '_b__x__y_.html'],
    ['', 'attachment'],
    ['...', 'attachment'],
    ['///', 'attachment'],
    ['\u202e\u202e', 'attachment'],
  ])('of %j is %j', (filename, name) => {
    expect(nameOf(filename)).toBe(name);
  });

  it('of an attached message without one is that of a message', () => {
    expect(nameOf('', 'message/rfc822')).toBe('message.eml');
  });

  it('keeps its extension when it is cut', () => {
    expect(nameOf(`${'é'.repeat(400)}.pdf`)).toBe(`${'é'.repeat(88)}.pdf`);
    expect(nameOf(`a.${'x'.repeat(400)}`)).toBe(`a.${'x'.repeat(178)}`);
  });

  it('hides no ending behind characters that show nothing', () => {
    const nothing = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}]$/u;
    const known = [0x2800, 0x13441, 0x13442, 0x16fe4, 0x1d159];
    const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter(
      (code) => known.includes(code) || nothing.test(String.fromCodePoint(code)),
    );
    expect(codes.length).toBeGreaterThan(4000);
    for (const code of codes) {
      const one = String.fromCodePoint(code);
      for (const filler of [one, ` ${one}`, `${one}\u200c `, `\u00a0${one}\u3164`]) {
        const name = nameOf(`invoice.pdf${filler.repeat(60)}.exe`);
        // A joiner or selector is as wide as nothing, and is kept.
        const shown = name.replaceAll(/[\u200c\u200d]|\p{Variation_Selector}/gu, '');
        expect(shown, code.toString(16)).toMatch(/^invoice\.pdf ?\.exe$/);
        expect(nameOf(`CON${filler}.txt`)).toMatch(/^_CON|^CON(?:[\u200c\u200d]|\p{Variation_Selector})/u);
        expect(nameOf(name)).toBe(name);
      }
    }
  });

  it('can be saved anywhere for every name that a sender writes', () => {
    const random = seededRandom(39);
    const alphabet = [
      ...'abcZ09._- /\\:*?"<>|%~$#@!&=+;,\'`^(){}[]',
      ...'\0\n\r\t\u007f\u0085\u200b\u200c\u200d\u200e\u202a\u202e\u2028\u2066\ufeff\ud800\udc00\ue000',
      ...'\u3164\u115f\u1160\uffa0\u2800\u034f\ufe0f\u180b\u0301\u{e0100}\u{16fe4}',
      ...'éß日本語עברית👨',
      'CON',
      'nul.',
      'com1',
      '..',
    ];
    for (let count = 0; count < 5000; count++) {
      const length = Math.floor(random() * (count % 50 === 0 ? 900 : 12));
      const filename = Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join(
        '',
      );
      const name = nameOf(filename);

      expect(name).toMatch(/^[^. ]/);
      expect(name).toMatch(/[^. ]$/);
      expect(name).not.toMatch(/[\\/:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u202a-\u202e\u2066-\u2069\ufeff]/u);
      expect(name).not.toMatch(/[\u3164\u115f\u1160\uffa0\u2800]|\u034f|\u{16fe4}/u);
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
      expect(name.isWellFormed()).toBe(true);
      expect(nameOf(name)).toBe(name);
    }
  });
});
