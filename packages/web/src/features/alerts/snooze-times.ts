const HOUR = 3_600_000;
/** Hour of the day at which an alert that was snoozed until tomorrow reports again. */
const MORNING = 8;

/** Returns the ends that a snooze can have, in the time zone of the browser. */
export function snoozeTimes(now: Date): { label: string; until: Date }[] {
  const tomorrow = new Date(now);
  tomorrow.setDate(tomorrow.getDate() + 1);
  tomorrow.setHours(MORNING, 0, 0, 0);
  return [
    { label: '1 hour', until: new Date(now.getTime() + HOUR) },
    { label: 'Until tomorrow', until: tomorrow },
    { label: '1 week', until: new Date(now.getTime() + 7 * 24 * HOUR) },
  ];
}
