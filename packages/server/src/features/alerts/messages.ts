import {
  type AlertChanges,
  type AlertKind,
  type ChangedRow,
  NOTICE_ROWS,
  type NoticeRow,
  type NumberChange,
} from '@datadeck/contract';
import { beginningOf, escapeHtml, oneLine } from '../notifications/index.ts';

/** A message of an alert, before it is written for a channel. */
export interface Message {
  title: string;
  changes: AlertChanges;
  isTest: boolean;
  /** Address of the view. */
  url: string;
  /** Returns the address of a row's record; undefined for a row without one. */
  recordUrl: (row: ChangedRow) => string | undefined;
}

const KINDS: readonly { kind: AlertKind; heading: string; verb: string }[] = [
  { kind: 'appeared', heading: 'Appeared', verb: 'appeared' },
  { kind: 'changed', heading: 'Changed', verb: 'changed' },
  { kind: 'disappeared', heading: 'Disappeared', verb: 'disappeared' },
];

/** Longest text of a row in a message, UTF-16 units. */
const MAX_ROW = 500;
/** Says in each test what it is. */
export const TEST_SENTENCE = 'This is a test. Nothing changed in your view.';
const FOOTER =
  'You receive this because of an alert in Datadeck. Change or pause it on the page of the view.';

function fieldsOf(row: unknown): string {
  if (typeof row !== 'object' || row === null) return String(row);
  return Object.entries(row)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ');
}

/** Returns a row as one line: its text, `Fix the build · octocat · octocat/hello #12`, or for other rows their fields. */
function rowText({ key, row, before, record, text: written }: ChangedRow): string {
  if (written !== undefined) return oneLine(written);
  const fields = fieldsOf(row);
  const names = record
    ? [record.title || 'Without a title', record.person, record.place].filter(Boolean)
    : [];
  const now = names.join(' · ') || fields || (key ?? '(no simple fields)');
  const was = before === undefined ? '' : fieldsOf(before);
  const text = oneLine(was === '' || was === fields ? now : `${now} (before: ${was})`);
  return beginningOf(text, MAX_ROW);
}

/** Returns the first rows for a notification. */
export function noticeRowsOf({ rows }: AlertChanges): NoticeRow[] {
  return rows.slice(0, NOTICE_ROWS).map((row) => ({
    text: rowText(row),
    recordId: row.record && row.key !== null ? row.key : null,
    account: row.record?.account ?? null,
  }));
}

const number = new Intl.NumberFormat('en');
const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

function countText(count: number): string {
  return `${number.format(count)} ${count === 1 ? 'row' : 'rows'}`;
}

/** Says how a number changed: `open rose above 40: 42 (before: 38)`. */
function numberText({ kind, value, group, before, now }: NumberChange): string {
  const verbs = { above: 'rose above', below: 'fell below', by: 'changed by at least' };
  const name = group === '' ? 'The number' : oneLine(group);
  return `${name} ${verbs[kind]} ${exact.format(value)}: ${exact.format(now)} (before: ${exact.format(before)})`;
}

/** Returns the counts as a phrase: `3 rows appeared, 1 row changed`, or how the number changed. */
export function summaryOf(changes: AlertChanges): string {
  if (changes.number) return numberText(changes.number);
  return KINDS.filter(({ kind }) => changes[kind] > 0)
    .map(({ kind, verb }) => `${countText(changes[kind])} ${verb}`)
    .join(', ');
}

/** Returns the subject of a mail, and the title of other messages. */
export function subjectOf({ title, changes, isTest }: Message): string {
  return oneLine(`${isTest ? 'Test: ' : ''}${title}: ${summaryOf(changes)}`);
}

/** Returns what is said before the counts. */
export function introOf({ isTest }: Message): string[] {
  return isTest ? [TEST_SENTENCE] : [];
}

/** A row of a message with the address of its record. */
export interface Line {
  text: string;
  url: string | undefined;
}

/** Returns the sections of a message: a heading and its rows. */
export function sectionsOf({ changes: { rows }, recordUrl }: Message): { heading: string; lines: Line[] }[] {
  return KINDS.map(({ kind, heading }) => ({
    heading,
    lines: rows
      .filter((row) => row.kind === kind)
      .map((row) => ({ text: rowText(row), url: recordUrl(row) })),
  })).filter(({ lines }) => lines.length > 0);
}

/**
 * Returns the sentences after the rows: how many are not listed, and why the alert's expression wrote no texts.
 * @param listed number of rows that may be listed
 */
export function restOf(
  { appeared, changed, disappeared, rows, textProblem }: AlertChanges,
  listed: number = rows.length,
): string[] {
  const more = appeared + changed + disappeared - Math.min(listed, rows.length);
  return [
    ...(more > 0 ? [`And ${number.format(more)} more.`] : []),
    ...(textProblem === undefined
      ? []
      : [`The expression for the text of a row failed: ${oneLine(textProblem)}`]),
  ];
}

function linesOf({ text, url }: Line): string[] {
  return url === undefined ? [`- ${text}`] : [`- ${text}`, `  ${url}`];
}

/** Returns a message as plain text. @param maxLength cuts the list of rows, UTF-16 units */
export function plainText(message: Message, maxLength = Number.POSITIVE_INFINITY): string {
  const { changes, url } = message;
  const head = [...introOf(message), `${oneLine(message.title)}: ${summaryOf(changes)}.`].join('\n');
  const tail = [...restOf(changes), `Open the view: ${url}`, FOOTER].join('\n');
  const lines: string[] = [];
  let length = head.length + tail.length + 4;
  for (const { heading, lines: rows } of sectionsOf(message))
    for (const line of ['', heading, ...rows.flatMap(linesOf)]) {
      length += line.length + 1;
      if (length <= maxLength) lines.push(line);
    }
  return [head, ...lines, '', tail].join('\n');
}

/** Returns a message as elements of HTML, without links other than those into Datadeck, styles or remote content. */
export function htmlElements(message: Message): string {
  const { changes, url } = message;
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const item = ({ text, url: to }: Line) =>
    to === undefined
      ? `<li>${escapeHtml(text)}</li>`
      : `<li><a href="${escapeHtml(to)}">${escapeHtml(text)}</a></li>`;
  const sections = sectionsOf(message).map(
    ({ heading, lines }) => `<h3>${heading}</h3><ul>${lines.map(item).join('')}</ul>`,
  );
  return [
    ...introOf(message).map(paragraph),
    `<h2>${escapeHtml(oneLine(message.title))}</h2>`,
    paragraph(`${summaryOf(changes)}.`),
    ...sections,
    ...restOf(changes).map(paragraph),
    `<p><a href="${escapeHtml(url)}">Open the view</a></p>`,
  ].join('\n');
}

/** Returns a message as an HTML document for a mail. */
export function htmlText(message: Message): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Alert</title></head><body>',
    htmlElements(message),
    `<p>${escapeHtml(FOOTER)}</p>`,
    '</body></html>',
  ].join('\n');
}
