import type { Parameter } from './parameters.ts';
import type { CreateView, SavedBase } from './views.ts';

/** Keys of the providers that a person has connected, e.g. `new Set(['github', 'imap'])`. */
export type ConnectedProviders = ReadonlySet<string>;

/** What a ready-made view reads: code of GitHub, or mails of each provider that has them. */
export type Need = 'code' | 'mails';

/** Where the mails of a provider are. */
export interface MailSource {
  providerId: string;
  /** Name of its rows in an expression with several bases, e.g. `gmail`. */
  name: string;
  /** Its messages, and what the keys of their templates begin with. */
  messages: string;
  templates: string;
  /** Its labels or mailboxes, and the template with their names and numbers of messages. */
  folders: Pick<SavedBase, 'entityLabel' | 'templateKey'>;
  /** Condition of a message that waits to be read. */
  unread: string;
}

const byImap = (key: string): MailSource => ({
  providerId: key,
  name: key,
  messages: `${key}-messages`,
  templates: `${key}-messages`,
  folders: { entityLabel: `${key}-mailboxes`, templateKey: `${key}-mailboxes-all` },
  unread: 'unread',
});

const MAIL_SOURCES: readonly MailSource[] = [
  {
    providerId: 'google',
    name: 'gmail',
    messages: 'gmail-messages',
    templates: 'messages',
    folders: { entityLabel: 'gmail-labels', templateKey: 'labels-message-counts' },
    unread: '"UNREAD" in labelIds',
  },
  byImap('imap'),
  byImap('outlook'),
];

/** Keys of the providers that meet a need. */
export const PROVIDERS_OF: Readonly<Record<Need, readonly string[]>> = {
  code: ['github'],
  mails: MAIL_SOURCES.map(({ providerId }) => providerId),
};

/** Returns the sources of mails that are connected. */
export function mailSources(connected: ConnectedProviders): MailSource[] {
  return MAIL_SOURCES.filter(({ providerId }) => connected.has(providerId));
}

/** Returns the base with all messages of a source. */
export function messagesOf({ name, providerId, messages, templates }: MailSource): SavedBase {
  return { name, providerId, entityLabel: messages, templateKey: `${templates}-all` };
}

/** Returns an expression for the rows of several bases as one list. */
export function listOf(bases: readonly { name: string }[]): string {
  return `[${bases.map(({ name }) => `$${name}`).join(', ')}]`;
}

/** An expression and what it reads. A single base without a name is its input. */
export interface WrittenView {
  expression: string;
  bases: readonly (Omit<SavedBase, 'name'> & { name?: string })[];
}

/** A view that is offered to everybody, written for the providers that the person has connected. */
export interface ReadyView {
  title: string;
  description: string;
  needs: readonly Need[];
  /** Whether one of its needs is enough. Default: a connected provider has to fulfil each. */
  isDivisible?: boolean;
  parameters?: readonly Parameter[];
  /** Title of the ready-made view on which it builds, which has the same needs. */
  basedOn?: string;
  write: (connected: ConnectedProviders) => WrittenView;
}

/** Returns the needs of a view that no connected provider meets. */
export function unmetNeeds({ needs }: Pick<ReadyView, 'needs'>, connected: ConnectedProviders): Need[] {
  return needs.filter((need) => !PROVIDERS_OF[need].some((key) => connected.has(key)));
}

/** Returns whether connected providers fulfil the needs of a view: each of them, or any if it is divisible. */
export function isAvailable(
  view: Pick<ReadyView, 'needs' | 'isDivisible'>,
  connected: ConnectedProviders,
): boolean {
  const unmet = unmetNeeds(view, connected).length;
  return unmet === 0 || (view.isDivisible === true && unmet < view.needs.length);
}

/**
 * Returns the request that creates a ready-made view over the connected providers; undefined if it is not available (`isAvailable`).
 * @param basedOn id of the user's view whose rows it reads, for one with `basedOn`
 */
export function toCreateView(
  view: ReadyView,
  connected: ConnectedProviders,
  basedOn?: string,
): CreateView | undefined {
  if (!isAvailable(view, connected)) return undefined;
  const { expression, bases } = view.write(connected);
  const [base] = bases;
  if (!base) return undefined;
  const named = bases.flatMap(({ name, ...rest }) => (name === undefined ? [] : [{ ...rest, name }]));
  const { title, description, parameters } = view;
  const { providerId, entityLabel, templateKey } = base;
  return {
    title,
    description,
    jsonNataQuery: expression,
    providerId,
    entityLabel,
    ...(view.basedOn === undefined ? { templateKey } : { basedOn }),
    ...(named.length > 0 && { bases: named }),
    ...(parameters && { parameters: [...parameters] }),
  };
}
