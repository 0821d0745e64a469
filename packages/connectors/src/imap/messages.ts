import { PLAN_LIMITS } from '@datadeck/contract';
import {
  defineEntity,
  type EntityDefinition,
  type Estimate,
  type EstimateRequest,
  type ProviderClient,
  ProviderError,
  parseSaved,
} from '../sdk/index.ts';
import { mailboxOf } from './mailbox-name.ts';
import { readChanges, stateSince } from './message-changes.ts';
import { messageColumns, recordId } from './message-columns.ts';
import { PAGE_SIZE } from './message-fetch.ts';
import { cursorSchema, headsOf, readAll } from './message-listing.ts';
import { ImapSession, type SessionOptions } from './session.ts';
import { messageTable } from './tables.ts';
import { messageTemplates } from './templates.ts';

/** Ids are handed over in portions. */
const IDS_AT_ONCE = 1000;

const DESCRIPTION =
  '<p>The messages of <strong>one mailbox</strong>, newest first, with headers, text and the list of attachments. Several mailboxes can be synchronized one after the other; they live side by side.</p>';

async function estimate(session: ImapSession, request: EstimateRequest): Promise<Estimate> {
  const since = parseSaved(cursorSchema, request.cursor);
  const pages = (records: number) => Math.ceil(records / PAGE_SIZE);
  if (!since) {
    const total = await session.ask({ count: true });
    const records = Math.min(total, request.limit);
    const requests = 1 + pages(records);
    return { total, records, requests, units: requests };
  }
  const { uidNext } = await stateSince(session, since);
  const total = await session.ask({ count: true });
  const changes = { ...since, before: uidNext, after: Number.POSITIVE_INFINITY };
  const records = (await session.ask({ changes })).brought.length;
  const requests = 2 + pages(records);
  return { total, records, requests, units: requests };
}

/** Names the mailbox in the failure that the server does not have it. */
function nameMailbox(error: unknown, mailbox: string): unknown {
  if (!(error instanceof ProviderError) || error.failure !== 'not-found') return error;
  const message = `The mail server has no mailbox ${mailbox}. Check its name.`;
  return new ProviderError('not-found', message, { field: 'mailbox', cause: error });
}

/** Messages of one mailbox. */
export function imapMessages(options: SessionOptions): EntityDefinition {
  const sessionOf = (client: ProviderClient, settings: Readonly<Record<string, string>>) =>
    new ImapSession(client, options, mailboxOf(settings));
  return defineEntity({
    id: 'imap-messages',
    title: 'Messages',
    description: DESCRIPTION,
    dependsOn: [{ entity: 'imap-mailboxes', title: 'Mailboxes' }],
    multi: true,
    limits: PLAN_LIMITS['gmail-messages'],
    settings: [
      {
        id: 'imap-messages-mailbox',
        propKey: 'mailbox',
        label: 'Mailbox',
        type: 'text',
        required: true,
        disabled: false,
        isChecked: false,
        defaultValue: 'INBOX',
        // No control characters, and none of the wildcards of IMAP's LIST.
        pattern: '[^\\u0000-\\u001f\\u007f*%]{1,200}',
        placeholder: 'E.g. INBOX, Archive/2026',
        errorText: 'Please enter a valid mailbox name',
        tip: 'The name of one mailbox. You find them in the field "id" of your synchronized mailboxes.',
      },
    ],
    scopeOf: mailboxOf,
    table: messageTable,
    templates: messageTemplates,
    extraction: 1,
    convert: (document) => ({ data: document, columns: messageColumns(document) }),
    async *read(request) {
      const session = sessionOf(request.client, request.settings);
      const mailbox = mailboxOf(request.settings);
      try {
        const since = parseSaved(cursorSchema, request.cursor);
        if (since) return yield* readChanges(session, request, { mailbox, since });
        return yield* readAll(session, request, mailbox);
      } catch (error) {
        throw nameMailbox(error, mailbox);
      } finally {
        session.close();
      }
    },
    async estimate(request) {
      const session = sessionOf(request.client, request.settings);
      return estimate(session, request)
        .catch((error) => {
          throw nameMailbox(error, mailboxOf(request.settings));
        })
        .finally(() => session.close());
    },
    async *listIds({ client, settings }) {
      const session = sessionOf(client, settings);
      try {
        const { uidValidity } = await session.state();
        const place = { mailbox: mailboxOf(settings), uidValidity };
        const heads = await session.ask({ heads: { uidNext: Number.POSITIVE_INFINITY, after: null } });
        const count = heads.left.length / 2;
        for (let offset = 0; offset < count; offset += IDS_AT_ONCE) {
          const portion = headsOf(heads, offset, Math.min(count, offset + IDS_AT_ONCE));
          yield portion.map(({ uid }) => recordId(place, uid));
        }
      } catch (error) {
        throw nameMailbox(error, mailboxOf(settings));
      } finally {
        session.close();
      }
    },
  });
}
