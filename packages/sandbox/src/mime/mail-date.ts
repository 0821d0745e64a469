const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ZONES: Record<string, number> = {
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
};
const FORM =
  /(\d{1,2})[\s-]{1,9}([A-Za-z]{3})[A-Za-z]{0,9}[\s,-]{1,9}(\d{2,4})\s{1,9}(\d{1,2})\s{0,9}[:.]\s{0,9}(\d{1,2})(?:\s{0,9}[:.]\s{0,9}(\d{1,2}))?\s{0,9}(?:([+-])\s{0,9}(\d{1,2}):?(\d{2})|([A-Za-z]{1,5}))?/;

/** Maximum length of a text that is parsed as a date, UTF-16 units. */
const MAX_LENGTH = 300;

/** Parses a Date header (RFC 5322 with its obsolete forms) to ms since 1970; undefined if it contains no time. */
export function readMailDate(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = withoutComments(header.slice(0, MAX_LENGTH));
  const match = FORM.exec(text);
  if (!match) return otherForms(text);
  const [, day, monthName = '', yearText = '', hour, minute, second, sign, zoneHour, zoneMinute, zoneName] =
    match;
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (month < 0) return otherForms(text);
  const offset =
    zoneName === undefined
      ? Number(`${sign ?? '+'}1`) * (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0))
      : ZONES[zoneName.toUpperCase()];
  const time = utcTime(fullYear(yearText), month, Number(day));
  const clock = (Number(hour) * 3600 + Number(minute) * 60 + Number(second ?? 0)) * 1000;
  return time + clock - (offset ?? 0) * 60_000;
}

/** Returns the time of a day, ms since 1970. `Date.UTC` alone reads the year 99 as 1999. */
function utcTime(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

/** Completes a year by RFC 5322, 4.3: two digits are 2000 to 2049 or 1950 to 1999, three digits are added to 1900. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length >= 4) return year;
  return text.length === 2 && year < 50 ? 2000 + year : 1900 + year;
}

/** Replaces comments, which may be nested, by spaces. An unclosed comment hides the rest. */
function withoutComments(text: string): string {
  let depth = 0;
  let out = '';
  for (const character of text) {
    if (character === '(') depth += 1;
    out += depth > 0 ? ' ' : character;
    if (character === ')' && depth > 0) depth -= 1;
  }
  return out;
}

function otherForms(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isFinite(time) ? time : undefined;
}
