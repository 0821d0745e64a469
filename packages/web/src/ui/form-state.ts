import type { FieldValues, FormState } from 'react-hook-form';
import { confirm } from './confirmation.tsx';

/** A Save button is enabled once a field has been touched and while no error exists. */
export function canSave<T extends FieldValues>({
  touchedFields,
  dirtyFields,
  isValid,
}: FormState<T>): boolean {
  const isTouched = Object.keys(touchedFields).length > 0 || Object.keys(dirtyFields).length > 0;
  return isTouched && isValid;
}

/** Asks before text that was typed is lost. */
export async function mayDiscard(isDirty: boolean): Promise<boolean> {
  return !isDirty || (await confirm('Unsaved changes', 'Your changes have not been saved. Discard them?'));
}
