import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { terminalStream } from './terminal-text.ts';

const HOSTILE = [
  '\u001b[2J\u001b]0;title\u0007',
  '\u009b31m',
  'a\rb',
  '\u202egnp.exe',
  '\u2028x\u2029',
  '\u0000\u0008\u007f',
  '\u{e0041}',
];

describe('terminalStream', () => {
  it.each(HOSTILE)('escapes what could move the cursor or hide text: %j', async (hostile) => {
    const bytes = Buffer.from(`to,${hostile},ä😀\tend\r\nnext\n`);
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const shown = await text(Readable.from(chunks).pipe(terminalStream()));
      expect(shown).not.toMatch(/[^\P{C}\r\n\t]|\r(?!\n)|[\u2028\u2029]/u);
      expect(shown.startsWith('to,')).toBe(true);
      expect(shown.endsWith('ä😀\tend\r\nnext\n')).toBe(true);
    }
  });

  it('leaves other text as it is, also with an end that is cut off', async () => {
    const whole = 'a,"b c",žluť\r\n'.repeat(1000);
    expect(await text(Readable.from([Buffer.from(whole)]).pipe(terminalStream()))).toBe(whole);
    expect(await text(Readable.from([Buffer.from('x\r')]).pipe(terminalStream()))).toBe('x\\u{d}');
  });
});
