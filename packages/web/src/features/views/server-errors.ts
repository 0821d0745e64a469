import { errorOf } from '../../api/failure.ts';
import { fieldMessages } from '../../api/models.ts';

/** Returns the server's messages for the fields of a view's form. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const known = errorOf(error);
  if (known?.code === 'expression-invalid')
    return { expression: known.message, ...fieldMessages(known.fields ?? {}) };
  return fieldMessages(known?.fields ?? {});
}

/** Shows the server's messages at the form's fields. */
export function showFieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  setError: (field: Field, error: { type: 'server'; message: string }) => void,
): void {
  const messages = fieldErrorsOf(error);
  for (const field of fields) {
    const message = messages[field];
    if (message !== undefined) setError(field, { type: 'server', message });
  }
}

/** Returns the server's message for the bases of a view, or for a field of one. */
export function basesError(error: unknown): string | undefined {
  return Object.entries(fieldErrorsOf(error)).find(([field]) => field.split('.')[0] === 'bases')?.[1];
}
