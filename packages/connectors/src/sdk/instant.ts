/** Returns the date of an instant (ms since 1970) if any database can store it: years 1 to 9999 in UTC. */
export function storableInstant(ms: number): Date | undefined {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}
