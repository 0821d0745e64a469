import { type ScopeChoice, type ScopeDefinition, scopeTextProblem } from '../sdk/index.ts';
import type { ListedMailbox } from './mailbox-list.ts';
import { mailboxOf } from './mailbox-name.ts';
import { fetchMailboxes } from './mailbox-session.ts';
import type { SessionOptions } from './session.ts';

/** Mailboxes whose messages are counted for the picker; servers without LIST-STATUS need a command for each. */
const MAX_COUNTS = 200;
const PATTERNS = [
  { pattern: '*', title: 'All mailboxes' },
  { pattern: '* -trash', title: 'All mailboxes except Trash and Junk' },
];
/** Mailboxes that are called like a pattern, with the backslashes that mark them as names. */
const LIKE_PATTERN = /^\\*\*(?: -trash)?$/;

function isPattern(text: string): boolean {
  return PATTERNS.some(({ pattern }) => pattern === text);
}

/** Returns the scope of a mailbox: its name, with a backslash before it if it could be read as a pattern. */
function scopeOfMailbox(mailbox: string): string {
  return LIKE_PATTERN.test(mailbox) ? `\\${mailbox}` : mailbox;
}

function mailboxOfScope(name: string): string {
  return LIKE_PATTERN.test(name) ? name.slice(1) : name;
}

/** Returns whether each mailbox is Trash or Junk, or within one of them. */
function trashTest(mailboxes: readonly ListedMailbox[]): (mailbox: ListedMailbox) => boolean {
  const trash = mailboxes.filter(({ use }) => ['\\Trash', '\\Junk'].includes(use));
  const paths = new Set(trash.map(({ path }) => path));
  const prefixes = trash.flatMap(({ path, delimiter }) => (delimiter === '' ? [] : [path + delimiter]));
  return ({ path }) => paths.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}

function choicesOf(mailboxes: readonly ListedMailbox[]): ScopeChoice[] {
  const isTrash = trashTest(mailboxes);
  return mailboxes.map((mailbox) => ({
    name: scopeOfMailbox(mailbox.path),
    title: mailbox.path,
    group: '',
    isPrivate: false,
    isFork: false,
    isArchived: false,
    isTrash: isTrash(mailbox),
    count: mailbox.isCounted ? mailbox.messages : null,
    changedAt: null,
  }));
}

/** Defines the mailboxes of a source of messages. */
export function mailboxScopes(options: SessionOptions): ScopeDefinition {
  return {
    one: 'mailbox',
    many: 'mailboxes',
    settings: ['mailbox'],
    patterns: () => PATTERNS,
    nameOf: (settings) => scopeOfMailbox(mailboxOf(settings)),
    settingsOf: (name) => ({ mailbox: mailboxOfScope(name) }),
    problemOf: scopeTextProblem,
    isPattern,
    selects: (pattern, { isTrash }) => isPattern(pattern) && (pattern === '*' || !isTrash),
    async *list({ client, pattern }) {
      const mailboxes = await fetchMailboxes(client, options, pattern === undefined ? MAX_COUNTS : 0);
      yield choicesOf(mailboxes).filter(({ name }) => scopeTextProblem(name) === undefined);
    },
  };
}
