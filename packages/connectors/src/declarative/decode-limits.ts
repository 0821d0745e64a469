import { ProviderError } from '../sdk/provider-error.ts';

/** Limits of a decoded answer. The largest page of real services has 100 records of some hundred fields. */
export const ANSWER_LIMITS = { values: 200_000, depth: 64 } as const;

/** Returns the error for an answer that exceeds `ANSWER_LIMITS`. */
export function tooLargeError(): ProviderError {
  const { values, depth } = ANSWER_LIMITS;
  return new ProviderError(
    'malformed',
    `The provider sent an answer with more than ${values.toLocaleString('en')} values or ${depth} levels.`,
  );
}

/** Sets a field of a decoded object; ignores `__proto__`, which would replace the object's prototype. */
export function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
}
