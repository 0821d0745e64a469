import { PLAN_LIMITS } from '@datadeck/contract';
import { CONVERSATION_BY_HEADERS, datedMail, mailReading, mailSearch } from '../mail/index.ts';
import {
  type Completion,
  defineEntity,
  type EntityDefinition,
  type Estimate,
  type EstimateRequest,
  type Page,
  type ProviderClient,
  ProviderError,
  parseSaved,
  type ReadRequest,
  sinceTime,
} from '../sdk/index.ts';
import { fetchImapFile } from './attachment.ts';
import { fetchChanges, readChanges } from './mail-changes.ts';
import { messageColumns, recordId } from './mail-columns.ts';
import { PAGE_SIZE } from './mail-fetch.ts';
import { cursorSchema, messagesBetween, readAll } from './mail-listing.ts';
import { LIST_WIDTH } from './mail-uids.ts';
import { mailboxOf } from './mailbox-name.ts';
import { mailboxScopes } from './mailbox-scopes.ts';
import { ImapSession, type SessionOptions } from './session.ts';
import { messageTable } from './tables.ts';
import { messageTemplates } from './templates.ts';

/** Ids per yielded batch. */
const ID_BATCH_SIZE = 1000;

const DESCRIPTION =
  '<p>The messages of <strong>one mailbox or many</strong>, newest first, with headers, text and the list of attachments. Those of several mailboxes live side by side.</p>';

const settingsOf = (prefix: string): EntityDefinition['settings'] => [
  {
    id: `${prefix}-messages-mailbox`,
    propKey: 'mailbox',
    label: 'Mailbox',
    type: 'text',
    required: true,
    disabled: false,
    isChecked: false,
    defaultValue: 'INBOX',
    // No line ends, which commands cannot contain.
    pattern: '[^\\u0000\\r\\n]{1,1000}',
    placeholder: 'E.g. INBOX, Archive/2026',
    errorText: 'Please enter a valid mailbox name',
    tip: 'The name of one mailbox. You find them in the field "id" of your synchronized mailboxes.',
  },
];

async function estimate(session: ImapSession, request: EstimateRequest): Promise<Estimate> {
  const since = parseSaved(cursorSchema, request.cursor);
  const pages = (records: number) => Math.ceil(records / PAGE_SIZE);
  if (!since) {
    const total = await session.request({ count: { since: sinceTime(request) } });
    const records = Math.min(total, request.limit);
    const requests = 1 + pages(records);
    return { total, records, requests, units: requests };
  }
  const mailbox = mailboxOf(request.settings);
  const { changed, total } = await fetchChanges(session, request, { mailbox, since });
  const records = changed.length;
  const requests = 2 + pages(records);
  return { total: request.since === undefined ? total : null, records, requests, units: requests };
}

/** Adds the mailbox name to a `not-found` error; returns other errors unchanged. */
function addMailboxName(error: unknown, mailbox: string): unknown {
  if (!(error instanceof ProviderError) || error.failure !== 'not-found') return error;
  const hint = mailbox === mailbox.trim() ? '' : ' It begins or ends with a blank.';
  const message = `The mail server has no mailbox ${mailbox}. Check its name.${hint}`;
  return new ProviderError('not-found', message, { field: 'mailbox', cause: error });
}

/** Yields the pages of a full or incremental run, then closes the session. */
async function* read(session: ImapSession, request: ReadRequest): AsyncGenerator<Page, Completion> {
  const mailbox = mailboxOf(request.settings);
  try {
    const since = parseSaved(cursorSchema, request.cursor);
    if (since) return yield* readChanges(session, request, { mailbox, since });
    return yield* readAll(session, request, mailbox);
  } catch (error) {
    throw addMailboxName(error, mailbox);
  } finally {
    session.close();
  }
}

/** Yields the record ids of all messages in batches, then closes the session. */
async function* listIds(
  session: ImapSession,
  request: Pick<EstimateRequest, 'settings' | 'since'>,
): AsyncGenerator<string[]> {
  const mailbox = mailboxOf(request.settings);
  try {
    const uidValidity = await session.uidValidity();
    const list = await session.request({ list: { after: null, since: sinceTime(request) } });
    const count = list.remaining.length / LIST_WIDTH;
    for (let offset = 0; offset < count; offset += ID_BATCH_SIZE) {
      const portion = messagesBetween(list, offset, Math.min(count, offset + ID_BATCH_SIZE));
      yield portion.map(({ uid }) => recordId({ mailbox, uidValidity }, uid));
    }
  } catch (error) {
    throw addMailboxName(error, mailbox);
  } finally {
    session.close();
  }
}

/** Defines the entity of the messages of one mailbox. @param prefix of the connector's names, e.g. `imap` */
export function messageEntity(prefix: string, options: SessionOptions): EntityDefinition {
  const sessionOf = (client: ProviderClient, settings: Readonly<Record<string, string>>) =>
    new ImapSession(client, options, mailboxOf(settings));
  return defineEntity({
    id: `${prefix}-messages`,
    title: 'Messages',
    description: DESCRIPTION,
    dependsOn: [{ entity: `${prefix}-mailboxes`, title: 'Mailboxes' }],
    multi: true,
    limits: PLAN_LIMITS['gmail-messages'],
    settings: settingsOf(prefix),
    scopeOf: mailboxOf,
    scopes: mailboxScopes(options),
    table: messageTable(prefix),
    templates: messageTemplates(prefix),
    search: mailSearch({
      labels: 'array[r.mailbox]',
      starred: 'r.flagged',
      // The keyword of RFC 8457; servers write it in any case.
      important: "exists (select from unnest(r.flags) flag where lower(flag) = '$important')",
      conversation: CONVERSATION_BY_HEADERS,
    }),
    reading: mailReading({ labels: 'mailbox', urlOf: () => null }),
    isMail: true,
    extraction: 4,
    convert: (document) => datedMail(document, messageColumns),
    async *read(request) {
      return yield* read(sessionOf(request.client, request.settings), request);
    },
    async estimate(request) {
      const session = sessionOf(request.client, request.settings);
      return estimate(session, request)
        .catch((error) => {
          throw addMailboxName(error, mailboxOf(request.settings));
        })
        .finally(() => session.close());
    },
    async *listIds(request) {
      yield* listIds(sessionOf(request.client, request.settings), request);
    },
    fetchAttachment: (request) => fetchImapFile(request, options),
  });
}
