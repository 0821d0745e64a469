import { describe, expect, it } from 'vitest';
import type { ProviderClient } from '../sdk/index.ts';
import { labelRecord } from './labels.ts';
import { fetchListPage } from './mail-list-page.ts';
import { messageRecord } from './mail-record.ts';

/** Creates a client of a Gmail stand-in that returns the same body for every request. */
function gmailThatSends(body: unknown): ProviderClient {
  return { get: async () => ({ body, headers: new Headers() }) } as unknown as ProviderClient;
}

describe('null in a Gmail response', () => {
  it('is accepted in a label', () => {
    const label = {
      id: 'L',
      name: 'Box',
      type: null,
      messagesTotal: null,
      messagesUnread: null,
      threadsTotal: null,
    };
    expect(labelRecord(label)).toMatchObject({
      id: 'L',
      data: label,
      columns: { name: 'Box', type: 'user', messages: 0, unread: 0, threads: 0 },
    });
  });

  it('is accepted in a page of the list', async () => {
    const client = gmailThatSends({
      messages: [{ id: 'a', threadId: null }, { id: 'b' }],
      nextPageToken: null,
    });
    const { messages, nextPageToken } = await fetchListPage(client, { label: 'INBOX' }, undefined);
    expect([messages.map(({ id, threadId }) => [id, threadId]), nextPageToken]).toEqual([
      [
        ['a', undefined],
        ['b', undefined],
      ],
      undefined,
    ]);

    const empty = await fetchListPage(
      gmailThatSends({ messages: null, nextPageToken: '' }),
      { label: 'INBOX' },
      undefined,
    );
    expect(empty).toEqual({ messages: [], nextPageToken: undefined });
  });

  it('is accepted in a message, whose other fields are kept', () => {
    const data = Buffer.from('Hello').toString('base64url');
    const text = { mimeType: 'text/plain', filename: null, headers: null, parts: null };

    const { columns, data: document } = messageRecord({
      id: 'm',
      threadId: null,
      labelIds: ['INBOX', null, 'UNREAD'],
      payload: {
        headers: [null, { name: 'Subject', value: 'Hi' }, { name: 'To', value: null }],
        body: null,
        parts: [null, { ...text, body: { size: null, data, attachmentId: null } }],
      },
    });

    expect(columns).toMatchObject({ thread: '', labels: ['INBOX', 'UNREAD'], subject: 'Hi', attachments: 0 });
    expect(document).toMatchObject({ text: 'Hello' });
  });
});

describe('Gmail id with characters that cannot be stored', () => {
  it('is cleaned in the same way in the list and in the record', async () => {
    const odd = 'a\u0000b\ud800';
    const client = gmailThatSends({ messages: [{ id: odd, threadId: odd }] });
    const { messages } = await fetchListPage(client, { label: 'INBOX' }, undefined);
    const record = messageRecord({ id: odd, threadId: odd, labelIds: [odd] });
    expect(messages).toEqual([{ id: 'a\ufffdb\ufffd', threadId: 'a\ufffdb\ufffd' }]);
    const cleaned = 'a\ufffdb\ufffd';
    expect(record).toMatchObject({ id: cleaned, columns: { thread: cleaned, labels: [cleaned] } });
    expect(labelRecord({ id: odd, name: 'x' }).id).toBe(cleaned);
  });
});
