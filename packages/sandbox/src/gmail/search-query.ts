import { type Header, headerValue } from '../mime/header-block.ts';
import { readMessage, walkParts } from '../mime/mime-tree.ts';
import type { Mail } from './mail.ts';
import type { Mailbox } from './mailbox.ts';
import { snippetOf } from './snippet.ts';

/** A parsed Gmail search; the sandbox supports a part of the syntax. */
export interface Search {
  tests: ((mail: OpenMail) => boolean)[];
  /** System labels named by `in:`, which include spam and trash. */
  places: string[];
}

/** A message whose text is read at most once, when a test needs it. */
interface OpenMail {
  mail: Mail;
  text(): { headers: Header[]; words: string; hasAttachment: boolean };
}

/**
 * Parses a search: from: to: subject: label: in: is: has:attachment after: before: older_than: newer_than: rfc822msgid:
 * and words; a leading - negates each.
 */
export function parseSearch(query: string, mailbox: Mailbox): Search {
  const search: Search = { tests: [], places: [] };
  for (const match of query.matchAll(/(-)?(?:(\w+):)?(?:"([^"]*)"|\(([^)]*)\)|(\S+))/g)) {
    const [, not, operator = '', quoted, grouped, bare] = match;
    const value = (quoted ?? grouped ?? bare ?? '').toLowerCase();
    if (operator.toLowerCase() === 'in') search.places.push(...placesOf(value));
    const test = testOf(operator.toLowerCase(), value, mailbox);
    search.tests.push(not ? (mail) => !test(mail) : test);
  }
  return search;
}

/** Returns whether the message passes every test. */
export function isSearchMatch(search: Search, mail: Mail): boolean {
  if (search.tests.length === 0) return true;
  const open = openMail(mail);
  return search.tests.every((test) => test(open));
}

function testOf(operator: string, value: string, mailbox: Mailbox): (open: OpenMail) => boolean {
  const inHeader = (name: string) => (open: OpenMail) =>
    unfolded(headerValue(open.text().headers, name)).toLowerCase().includes(value);
  if (['from', 'to', 'cc', 'subject'].includes(operator)) return inHeader(operator);
  if (operator === 'rfc822msgid') return inHeader('message-id');
  if (operator === 'in' && value === 'anywhere') return () => true;
  if (operator === 'label' || operator === 'in') return hasLabel(labelIdOf(value, mailbox));
  if (operator === 'category') return hasLabel(`CATEGORY_${value.toUpperCase()}`);
  if (operator === 'is' && value === 'read') return (open) => !open.mail.labelIds.includes('UNREAD');
  if (operator === 'is') return hasLabel(value.toUpperCase());
  if (operator === 'has') return (open) => value === 'attachment' && open.text().hasAttachment;
  if (operator === 'after' || operator === 'newer') return (open) => open.mail.internalDate >= timeOf(value);
  if (operator === 'before' || operator === 'older') return (open) => open.mail.internalDate < timeOf(value);
  if (operator === 'newer_than') return (open) => open.mail.internalDate >= Date.now() - spanOf(value);
  if (operator === 'older_than') return (open) => open.mail.internalDate < Date.now() - spanOf(value);
  return (open) => open.text().words.includes(operator === '' ? value : `${operator}:${value}`);
}

/** Collapses the white space of a header value, which keeps that of its folds. */
function unfolded(value: string | undefined): string {
  return (value ?? '').replace(/\s+/g, ' ');
}

function hasLabel(id: string): (open: OpenMail) => boolean {
  return (open) => open.mail.labelIds.includes(id);
}

function placesOf(value: string): string[] {
  return value === 'anywhere' ? ['SPAM', 'TRASH'] : [value.toUpperCase()];
}

function labelIdOf(value: string, mailbox: Mailbox): string {
  const plain = (text: string) => text.toLowerCase().replace(/[\s/]+/g, '-');
  return mailbox.labels.find((label) => plain(label.name) === plain(value))?.id ?? value.toUpperCase();
}

function timeOf(value: string): number {
  return /^\d{9,}$/.test(value)
    ? Number(value) * 1000
    : Date.parse(`${value.replaceAll('/', '-')}T00:00:00Z`);
}

const SPANS: Record<string, number> = { d: 1, m: 30, y: 365 };

function spanOf(value: string): number {
  const [, count = '0', unit = 'd'] = /^(\d+)([dmy])$/.exec(value) ?? [];
  return Number(count) * (SPANS[unit] ?? 1) * 86_400_000;
}

function openMail(mail: Mail): OpenMail {
  let read: ReturnType<OpenMail['text']> | undefined;
  return {
    mail,
    text() {
      read ??= readText(mail);
      return read;
    },
  };
}

function readText(mail: Mail): ReturnType<OpenMail['text']> {
  const root = readMessage(mail.read());
  const parts = [...walkParts(root)];
  const bodies = parts
    .filter((part) => part.mimeType.startsWith('text/'))
    .map((part) => part.content.toString('utf8'));
  const named = ['subject', 'from', 'to'].map((name) => unfolded(headerValue(root.headers, name)));
  return {
    headers: root.headers,
    words: [...named, snippetOf(root), ...bodies].join('\n').toLowerCase(),
    hasAttachment: parts.some((part) => part.filename !== ''),
  };
}
