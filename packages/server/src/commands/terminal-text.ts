import { Transform } from 'node:stream';

/** Escapes characters that could move the cursor, or hide or reorder text on a terminal. */
export function terminalText(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** Creates a stream of UTF-8 text that escapes the same characters, except line ends and tabs. */
export function terminalStream(): Transform {
  const decoder = new TextDecoder();
  let rest = '';
  const escaped = (text: string) =>
    text.split(/(\r?\n|\t)/).map((part, index) => (index % 2 ? part : terminalText(part)));
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = rest + decoder.decode(chunk, { stream: true });
      // A line end may be cut in two.
      rest = text.endsWith('\r') ? '\r' : '';
      done(null, escaped(text.slice(0, text.length - rest.length)).join(''));
    },
    flush(done) {
      done(null, escaped(rest + decoder.decode()).join(''));
    },
  });
}
