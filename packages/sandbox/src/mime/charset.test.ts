import { describe, expect, it } from 'vitest';
import { decodeText } from './charset.ts';

describe('decodeText', () => {
  it.each([
    ['cp850', 'Gr\x81\xe1e', 'Grüße'],
    ['cp-850', 'Gr\x81\xe1e', 'Grüße'],
    ['IBM850', 'Gr\x81\xe1e', 'Grüße'],
    ['cp437', '\x80\x87', 'Çç'],
    ['ibm866', '\x8f\xe0\xa8\xa2\xa5\xe2', 'Привет'],
    ['cp1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['iso-2022-kr', '\x1b$)C\x0eGQ1[\x0f.', '한글.'],
    ['klingon', 'Gr\xfc\xdfe', 'Grüße'],
  ])('reads %s', (charset, bytes, text) => {
    expect(decodeText(Buffer.from(bytes, 'latin1'), charset)).toBe(text);
  });
});
