/** Escapes characters that could move the cursor, or hide or reorder text on a terminal. */
export function terminalText(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
