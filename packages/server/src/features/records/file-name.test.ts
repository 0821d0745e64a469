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

  it('can be saved anywhere for every name that a sender writes', () => {
    const random = seededRandom(39);
    const alphabet = [
      ...'abcZ09._- /\\:*?"<>|%~$#@!&=+;,\'`^(){}[]',
      ...'\0\n\r\t\u007f\u0085\u200b\u200c\u200d\u200e\u202a\u202e\u2028\u2066\ufeff\ud800\udc00\ue000',
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
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
      expect(name.isWellFormed()).toBe(true);
      expect(nameOf(name)).toBe(name);
    }
  });
});
