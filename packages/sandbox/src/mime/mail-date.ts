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
  /(\d{1,2})[\s-]+([A-Za-z]{3})[A-Za-z]*[\s,-]+(\d{2,4})\s+(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2}))?\s*(?:([+-])\s*(\d{1,2}):?(\d{2})|([A-Za-z]{1,5}))?/;

/** Milliseconds since 1970 of a Date header (RFC 5322 with its obsolete forms), or undefined when it tells no time. */
export function readMailDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = FORM.exec(text.replace(/\([^)]*\)/g, ' '));
  if (!match) return otherForms(text);
  const [, day, monthName = '', yearText = '', hour, minute, second, sign, zoneHour, zoneMinute, zoneName] =
    match;
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (month < 0) return otherForms(text);
  const offset =
    zoneName === undefined
      ? Number(`${sign ?? '+'}1`) * (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0))
      : ZONES[zoneName.toUpperCase()];
  const time = Date.UTC(
    fullYear(yearText),
    month,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second ?? 0),
  );
  return Number.isFinite(time) ? time - (offset ?? 0) * 60_000 : undefined;
}

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length >= 4) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

function otherForms(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isFinite(time) ? time : undefined;
}
