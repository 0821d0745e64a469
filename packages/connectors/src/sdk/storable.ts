/** Text that any database takes: NUL cannot be stored; lone surrogates are no text. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
