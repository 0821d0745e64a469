export const DAYS = ['', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const DAY = 86_400_000;

/** Returns the Monday of the first week of a month or, for January, of a year: the week with the first Thursday (ISO 8601). */
function startOfFirstWeek(year: number, month: number): number {
  const first = Date.UTC(year, month);
  const day = new Date(first).getUTCDay() || 7;
  return day > 4 ? first + (8 - day) * DAY : first - (day - 1) * DAY;
}

/** Returns the week number in a period; a day may belong to a week of the neighbouring period. */
function weekNumber(
  today: number,
  starts: { previous: number; own: number; next: number },
  longest: number,
): number {
  const weeksSince = (start: number): number => (today - start) / (DAY * 7) + 1;
  let week = weeksSince(starts.own);
  if (week > longest) {
    if (today >= starts.next) week = 1;
  } else if (week < 1) {
    week = weeksSince(starts.previous);
  }
  return Math.floor(week);
}

/** Returns a numeric component of a UTC date, counted from 1; undefined for other components. */
export function numericComponent(date: Date, component: string): number | undefined {
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const today = (): number => Date.UTC(year, month, date.getUTCDate());
  switch (component) {
    case 'Y':
      return year;
    case 'M':
      return month + 1;
    case 'D':
      return date.getUTCDate();
    case 'd':
      return (today() - Date.UTC(year, 0)) / DAY + 1;
    case 'F':
      return date.getUTCDay() || 7;
    case 'W': {
      const [previous, own, next] = [year - 1, year, year + 1].map((each) => startOfFirstWeek(each, 0));
      return weekNumber(today(), { previous: previous ?? 0, own: own ?? 0, next: next ?? 0 }, 52);
    }
    case 'w': {
      const [previous, own, next] = [month - 1, month, month + 1].map((each) => startOfFirstWeek(year, each));
      return weekNumber(today(), { previous: previous ?? 0, own: own ?? 0, next: next ?? 0 }, 4);
    }
    case 'X':
      if (date.getTime() < startOfFirstWeek(year, 0)) return year - 1;
      return date.getTime() >= startOfFirstWeek(year + 1, 0) ? year + 1 : year;
    case 'x':
      if (date.getTime() < startOfFirstWeek(year, month)) return ((month + 11) % 12) + 1;
      return (date.getTime() >= startOfFirstWeek(year, month + 1) ? (month + 1) % 12 : month) + 1;
    default:
      return timeComponent(date, component);
  }
}

function timeComponent(date: Date, component: string): number | undefined {
  switch (component) {
    case 'H':
      return date.getUTCHours();
    case 'h':
      return date.getUTCHours() % 12 || 12;
    case 'm':
      return date.getUTCMinutes();
    case 's':
      return date.getUTCSeconds();
    case 'f':
      return date.getUTCMilliseconds();
    default:
      return undefined;
  }
}

/** Returns the half of the day of a UTC date. */
export function halfOfDay(date: Date): 'am' | 'pm' {
  return date.getUTCHours() >= 12 ? 'pm' : 'am';
}
