import type { FieldValues, FormState } from 'react-hook-form';

/** Returns true once a field has been touched and no field has an error. */
export function canSave<T extends FieldValues>({
  touchedFields,
  dirtyFields,
  isValid,
}: FormState<T>): boolean {
  const isTouched = Object.keys(touchedFields).length > 0 || Object.keys(dirtyFields).length > 0;
  return isTouched && isValid;
}
