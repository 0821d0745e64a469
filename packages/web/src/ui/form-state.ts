import type { FieldValues, FormState } from 'react-hook-form';

/** A Save button is enabled once a field has been touched and while no error exists. */
export function canSave<T extends FieldValues>({
  touchedFields,
  dirtyFields,
  isValid,
}: FormState<T>): boolean {
  const isTouched = Object.keys(touchedFields).length > 0 || Object.keys(dirtyFields).length > 0;
  return isTouched && isValid;
}
