/** Says what of a template has no translation: its message follows `cannot be translated: `. */
export class UntranslatableError extends Error {
  override name = 'UntranslatableError';
}
