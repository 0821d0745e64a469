/** Says what of a template has no translation: its message follows `cannot be translated: `. */
export class UntranslatableError extends Error {
  override name = 'UntranslatableError';
}

/** Returns what a translation yields, or why there is none. @throws its other errors */
export function attempt<T>(translate: () => T): { value: T } | { reason: string } {
  try {
    return { value: translate() };
  } catch (error) {
    if (error instanceof UntranslatableError) return { reason: error.message };
    throw error;
  }
}
