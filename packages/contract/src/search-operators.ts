import { localTime, startOfDay } from './time-zones.ts';

/** How the value of a search operator is read. */
type ValueKind =
  /** Words, matched against the words of a field. */
  | 'words'
  /** The name of a label, mailbox or repository, or an id, matched as a whole. */
  | 'name'
  /** The name of an account, or the name that the user gave it. */
  | 'account'
  /** One of `values`. */
  | 'choice'
  /** A day, month or year, e.g. `2026-11-25` or `yesterday`. */
  | 'date'
  /** A period until now, e.g. `7d`. */
  | 'age'
  /** A number of bytes, e.g. `5M`. */
  | 'size';

/** A search operator, e.g. `from:`. */
export interface SearchOperator {
  kind: ValueKind;
  /** What it finds, as the completion list shows it. */
  description: string;
  example: string;
  values?: readonly string[];
}

/** All search operators by name, as users know them from Gmail and GitHub. */
export const SEARCH_OPERATORS = {
  from: { kind: 'words', description: 'Sender of a message', example: 'from:amy' },
  to: { kind: 'words', description: 'Recipient of a message', example: 'to:team@example.org' },
  cc: { kind: 'words', description: 'Recipient of a copy of a message', example: 'cc:team@example.org' },
  bcc: { kind: 'words', description: 'Hidden recipient of a message', example: 'bcc:team@example.org' },
  list: { kind: 'words', description: 'Mailing list of a message', example: 'list:announce.example.org' },
  subject: { kind: 'words', description: 'Subject of a message', example: 'subject:invoice' },
  filename: {
    kind: 'words',
    description: 'Name of an attachment or commented file',
    example: 'filename:pdf',
  },
  author: { kind: 'words', description: 'Author on GitHub', example: 'author:octocat' },
  label: {
    kind: 'name',
    description: 'Label of a message, issue or pull request',
    example: 'label:receipts',
  },
  in: { kind: 'name', description: 'Label or mailbox of a message', example: 'in:inbox' },
  repo: { kind: 'name', description: 'Repository on GitHub', example: 'repo:octo-org/octo-repo' },
  rfc822msgid: {
    kind: 'name',
    description: 'Message-ID of a message',
    example: 'rfc822msgid:1234@mail.example.org',
  },
  account: { kind: 'account', description: 'Account of a provider', example: 'account:work' },
  has: {
    kind: 'choice',
    description: 'What a message has',
    example: 'has:attachment',
    values: ['attachment'],
  },
  is: {
    kind: 'choice',
    description: 'State of a message or of work on GitHub',
    example: 'is:unread',
    values: [
      'unread',
      'read',
      'starred',
      'important',
      'open',
      'closed',
      'merged',
      'draft',
      'approved',
      'changes-requested',
      'failed',
      'passed',
      'prerelease',
      'private',
      'archived',
      'fork',
      'bot',
    ],
  },
  before: { kind: 'date', description: 'Older than a day', example: 'before:2026-01-31' },
  after: { kind: 'date', description: 'From a day on', example: 'after:2026-01-31' },
  older_than: { kind: 'age', description: 'Older than a period', example: 'older_than:1y' },
  newer_than: { kind: 'age', description: 'Newer than a period', example: 'newer_than:7d' },
  larger: { kind: 'size', description: 'Message larger than a size', example: 'larger:5M' },
  smaller: { kind: 'size', description: 'Message smaller than a size', example: 'smaller:100K' },
} as const satisfies Record<string, SearchOperator>;

/** Name of a search operator, e.g. `from`. */
export type SearchOperatorName = keyof typeof SEARCH_OPERATORS;
/** Names of all search operators. */
export const SEARCH_OPERATOR_NAMES = Object.keys(SEARCH_OPERATORS) as SearchOperatorName[];

/** Returns the operator with this name in any case; undefined for an unknown one. */
export function findSearchOperator(name: string): SearchOperatorName | undefined {
  const lower = name.toLowerCase();
  return SEARCH_OPERATOR_NAMES.find((known) => known === lower);
}

const DATE = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/;

const DAY_MS = 86_400_000;
/** Days by their names, as a number of days from now. */
export const SEARCH_DAYS: Readonly<Record<string, number>> = { today: 0, yesterday: -1 };

/** When and where a search is read. */
interface SearchMoment {
  /** Time from which `today` and `yesterday` count, ms since 1970. */
  now: number;
  /** Time zone in which days begin. */
  timeZone: string;
}

/**
 * Parses a day, month or year of a search to its first instant in a time zone.
 *
 *     parseSearchDate('2026-11', { now, timeZone: 'Europe/Berlin' })    // 2026-10-31T23:00:00.000Z
 *
 * @returns undefined for anything else and for days that do not exist
 * @throws RangeError for an unknown time zone
 */
export function parseSearchDate(text: string, { now, timeZone }: SearchMoment): Date | undefined {
  const day = dayOf(text, () => localTime(new Date(now), timeZone).getTime());
  return day && startOfDay(day, timeZone);
}

/** Parses a day, month or year to midnight of its first day in UTC. @param now returns the local time, ms since 1970 in UTC */
function dayOf(text: string, now: () => number): Date | undefined {
  const days = new Map(Object.entries(SEARCH_DAYS)).get(text.toLowerCase());
  if (days !== undefined) return new Date((Math.floor(now() / DAY_MS) + days) * DAY_MS);
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1)];
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = year >= 1 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  return exists && date.getUTCDate() === day ? date : undefined;
}

const AGE = /^(\d{1,4})([dwmy])$/i;
const DAYS = { d: 1, w: 7, m: 30, y: 365 } as const;

/**
 * Parses a period of a search to days: `7d`, `2w`, `3m` (90 days) or `1y` (365 days).
 * @returns undefined for anything else
 */
export function parseSearchAge(text: string): number | undefined {
  const match = AGE.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * DAYS[(match[2] ?? 'd').toLowerCase() as keyof typeof DAYS];
}

const SIZE = /^(\d{1,12})([kmg]?)b?$/i;
const UNITS = ['', 'k', 'm', 'g'];

/**
 * Parses a size of a search to bytes: `1000`, `100K`, `5M` or `1G`, of 1,024 each.
 * @returns undefined for anything else
 */
export function parseSearchSize(text: string): number | undefined {
  const match = SIZE.exec(text);
  return match ? Number(match[1]) * 1024 ** UNITS.indexOf((match[2] ?? '').toLowerCase()) : undefined;
}

/** Returns whether a text has something that can be found: a letter, a digit or a symbol such as an emoji. */
export function hasSearchableText(text: string): boolean {
  return /[\p{L}\p{N}\p{So}]/u.test(text);
}

/** Returns a sentence for the user about a search operator's malformed value, e.g. `from:""`; undefined for a valid one. */
export function operatorValueProblem(name: SearchOperatorName, value: string): string | undefined {
  const { kind, example, values }: SearchOperator = SEARCH_OPERATORS[name];
  if (value === '') return `${name}: needs a value, for example ${example}.`;
  if (kind === 'words' && !hasSearchableText(value))
    return `${name}: needs letters or digits, for example ${example}.`;
  if (kind === 'choice' && !values?.includes(value.toLowerCase()))
    return `${name}: knows ${values?.join(', ')}. It does not know ${shortened(value)}.`;
  if (kind === 'date' && !dayOf(value, Date.now))
    return `${name}: needs a day, month or year such as 2026-01-31, 2026-01, 2026, today or yesterday.`;
  if (kind === 'age' && parseSearchAge(value) === undefined)
    return `${name}: needs a number of days, weeks, months or years, for example ${name}:7d, 2w, 3m or 1y.`;
  if (kind === 'size' && parseSearchSize(value) === undefined)
    return `${name}: needs a number of bytes, for example ${name}:1000, 100K, 5M or 1G.`;
  return undefined;
}

/** Shortens a text to quote it in a sentence. */
export function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39).toWellFormed()}…`;
}
