/** Returns the ids of a value such as `INBOX, Label_12`. */
export function idsOf(value: string): string[] {
  return value
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
