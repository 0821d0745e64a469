/** The instant (ms) when any database takes it: of the years 1 to 9999 in UTC. */
export function storableInstant(ms: number): Date | undefined {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}
