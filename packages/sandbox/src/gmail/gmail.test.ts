import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { auth, gmail, type gmail_v1 } from '@googleapis/gmail';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, signInWithGoogle } from '../../test-support/sign-in.ts';

const EMAIL = 'ada.nowak@sandbox.example';
const userId = 'me';
let sandbox: StartedSandbox;
let client: gmail_v1.Gmail;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  sandbox.control.reset();
  const { tokens } = await signInWithGoogle(sandbox);
  token = tokens.access_token;
  client = clientFor(token);
});

function clientFor(accessToken: string): gmail_v1.Gmail {
  const credentials = new auth.OAuth2();
  credentials.setCredentials({ access_token: accessToken });
  return gmail({ version: 'v1', auth: credentials, rootUrl: `${sandbox.url}/`, retry: false });
}

async function allIds(more: gmail_v1.Params$Resource$Users$Messages$List): Promise<string[]> {
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const { data } = await client.users.messages.list({
      userId,
      ...more,
      ...(pageToken ? { pageToken } : {}),
    });
    ids.push(...(data.messages ?? []).map((message) => message.id ?? ''));
    pageToken = data.nextPageToken ?? undefined;
  } while (pageToken);
  return ids;
}

describe('Gmail API with @googleapis/gmail', () => {
  it('has system and user labels with counts', async () => {
    const { data } = await client.users.labels.list({ userId });
    const names = (data.labels ?? []).map((label) => label.name);
    expect(names).toEqual(
      expect.arrayContaining(['INBOX', 'SENT', 'UNREAD', 'CATEGORY_UPDATES', 'Harbor', 'Receipts']),
    );
    const inbox = await client.users.labels.get({ userId, id: 'INBOX' });
    expect(inbox.data.messagesTotal).toBe((await allIds({ labelIds: ['INBOX'], maxResults: 500 })).length);
    expect(inbox.data.threadsTotal).toBeLessThan(inbox.data.messagesTotal ?? 0);
    await expect(client.users.labels.get({ userId, id: 'Label_99' })).rejects.toMatchObject({ status: 404 });
  });

  it('lists messages of labels in pages, newest first, and names a wrong label', async () => {
    const ids = await allIds({ labelIds: ['INBOX'], maxResults: 50 });
    expect(ids.length).toBeGreaterThan(380);
    expect(new Set(ids).size).toBe(ids.length);

    const dates = await Promise.all(
      ids
        .slice(0, 40)
        .map(async (id) =>
          Number((await client.users.messages.get({ userId, id, format: 'minimal' })).data.internalDate),
        ),
    );
    expect(dates).toEqual([...dates].sort((one, other) => other - one));
    expect(await allIds({ labelIds: ['INBOX', 'UNREAD'] })).not.toHaveLength(ids.length);

    const wrong = await ask(`${sandbox.urls().gmailApiUrl}/gmail/v1/users/me/messages?labelIds=Nope`, token);
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      { error: { code: 400, message: 'Invalid label: Nope', status: 'INVALID_ARGUMENT' } },
    ]);

    const none = await client.users.messages.list({ userId, labelIds: ['CHAT'] });
    expect(none.data).toEqual({ resultSizeEstimate: 0 });
  });

  it('hides spam and trash unless requested', async () => {
    expect(await allIds({ labelIds: ['SPAM'] })).toEqual([]);
    const spam = await allIds({ labelIds: ['SPAM'], includeSpamTrash: true });
    expect(spam.length).toBeGreaterThan(0);
    expect(await allIds({})).not.toContain(spam[0]);
    expect(await allIds({ includeSpamTrash: true })).toContain(spam[0]);
    expect(await allIds({ q: 'in:spam' })).toEqual(spam);
  });

  it('searches by sender, subject, label, attachment and age', async () => {
    expect(await allIds({ q: 'from:noor' })).toHaveLength(2);
    expect((await allIds({ q: 'subject:"load test" -from:me@x' })).length).toBeGreaterThan(2);
    expect((await allIds({ q: 'has:attachment label:travel' })).length).toBeGreaterThan(3);
    expect((await allIds({ q: 'newer_than:30d' })).length).toBeLessThan(
      (await allIds({ q: 'newer_than:90d' })).length,
    );
  });

  it('returns messages in every format', async () => {
    const [id = ''] = await allIds({ q: 'subject:"Numbers from the load test" has:attachment' });
    const full = (await client.users.messages.get({ userId, id })).data;
    expect(full.payload).toMatchObject({
      partId: '',
      mimeType: 'multipart/mixed',
      filename: '',
      body: { size: 0 },
    });
    const [text, csv] = full.payload?.parts ?? [];
    expect(Buffer.from(text?.body?.data ?? '', 'base64url').toString()).toContain(
      'p99 went from 4.1 s to 2.6 s',
    );
    expect(csv).toMatchObject({ partId: '1', mimeType: 'text/csv', filename: 'load-test.csv' });
    expect(csv?.body?.data).toBeUndefined();
    const file = await client.users.messages.attachments.get({
      userId,
      messageId: id,
      id: csv?.body?.attachmentId ?? '',
    });
    expect(Buffer.from(file.data.data ?? '', 'base64url').toString()).toMatch(/^run,p50_ms/);
    const again = (await client.users.messages.get({ userId, id })).data.payload?.parts?.[1]?.body
      ?.attachmentId;
    expect(again).not.toBe(csv?.body?.attachmentId);

    const metadata = (
      await client.users.messages.get({
        userId,
        id,
        format: 'metadata',
        metadataHeaders: ['subject', 'From'],
      })
    ).data;
    expect(metadata.payload?.headers?.map((header) => header.name)).toEqual(['From', 'Subject']);
    expect(metadata.payload?.parts).toBeUndefined();
    const minimal = (await client.users.messages.get({ userId, id, format: 'minimal' })).data;
    expect(minimal.payload).toBeUndefined();
    const raw = (await client.users.messages.get({ userId, id, format: 'raw' })).data;
    expect(Buffer.from(raw.raw ?? '', 'base64url').toString()).toMatch(/^Delivered-To: /);
    expect(minimal).toMatchObject({
      id,
      threadId: full.threadId,
      snippet: full.snippet,
      internalDate: full.internalDate,
    });
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    await expect(client.users.messages.get({ userId, id: '1234567890abcdef' })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('returns texts and file names of many languages', async () => {
    const [id = ''] = await allIds({ q: 'from:noor has:attachment' });
    const { payload, snippet } = (await client.users.messages.get({ userId, id })).data;
    expect(payload?.headers?.find((header) => header.name === 'Subject')?.value).toBe('صور من بيروت');
    expect(payload?.parts?.[1]?.filename).toBe('بيروت.png');
    expect(snippet).toContain('😋');
    const latin = (await allIds({ q: 'subject:"Angebot Schulung Objektspeicher" from:henrik' })).at(-1) ?? '';
    expect((await client.users.messages.get({ userId, id: latin })).data.snippet).toContain(
      'könntet ihr uns im Frühjahr',
    );
  });

  it('returns the messages of a thread together', async () => {
    const { data } = await client.users.threads.list({
      userId,
      q: 'subject:"what is left before the freeze"',
    });
    expect(data.threads).toHaveLength(1);
    const thread = (await client.users.threads.get({ userId, id: data.threads?.[0]?.id ?? '' })).data;
    expect(thread.messages).toHaveLength(4);
    expect(thread.messages?.every((message) => message.threadId === thread.id)).toBe(true);
  });

  it('lists the changes since a history id', async () => {
    const { data: profile } = await client.users.getProfile({ userId });
    expect(profile).toMatchObject({ emailAddress: EMAIL });
    const startHistoryId = profile.historyId ?? '';
    const [newest = ''] = sandbox.control.gmail.messageIds(EMAIL);
    const added = sandbox.control.gmail.insert(EMAIL, { subject: 'Hello', text: 'Grüße <b>' });
    sandbox.control.gmail.changeLabels(EMAIL, added, { add: ['STARRED'], remove: ['UNREAD'] });
    sandbox.control.gmail.remove(EMAIL, newest);
    const { data } = await client.users.history.list({ userId, startHistoryId });
    const kinds = (data.history ?? []).map((record) =>
      Object.keys(record).find((key) => /Added|Deleted|Removed/.test(key)),
    );
    expect(kinds).toEqual(['messagesAdded', 'labelsAdded', 'labelsRemoved', 'messagesDeleted']);
    expect(data.history?.[0]?.messagesAdded?.[0]?.message).toMatchObject({
      id: added,
      labelIds: ['INBOX', 'UNREAD'],
    });

    const ids = (data.history ?? []).map((record) => Number(record.id));
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    const deletions = await client.users.history.list({
      userId,
      startHistoryId,
      historyTypes: ['messageDeleted'],
    });
    expect(deletions.data.history).toHaveLength(1);

    const onlyFirst = await client.users.history.list({ userId, startHistoryId, maxResults: 1 });
    expect(onlyFirst.data.nextPageToken).toBeDefined();
    const current = await client.users.history.list({ userId, startHistoryId: data.historyId ?? '' });
    expect(current.data).toEqual({ historyId: data.historyId });

    sandbox.control.gmail.expireHistory(EMAIL);
    await expect(client.users.history.list({ userId, startHistoryId })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('limits responses to the requested fields and answers batches', async () => {
    const { data } = await client.users.messages.list({
      userId,
      maxResults: 2,
      fields: 'messages/id,nextPageToken',
    });
    expect(Object.keys(data.messages?.[0] ?? {})).toEqual(['id']);
    expect(data.resultSizeEstimate).toBeUndefined();

    const body = [
      ...(data.messages ?? []).map(
        ({ id }) =>
          `--x\r\nContent-Type: application/http\r\nContent-ID: <${id}>\r\n\r\nGET /gmail/v1/users/me/messages/${id}?format=minimal\r\n\r\n`,
      ),
      '--x--',
    ].join('');
    const batch = await ask(`${sandbox.urls().gmailApiUrl}/batch/gmail/v1`, token, {
      method: 'POST',
      body,
      headers: { 'content-type': 'multipart/mixed; boundary=x' },
    });
    const answer = await batch.text();
    expect(answer.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
    expect(answer).toContain(`"id":"${data.messages?.[0]?.id}"`);
  });

  it('requires a valid token with the right scope', async () => {
    const address = `${sandbox.urls().gmailApiUrl}/gmail/v1/users/me/profile`;
    const bad = await ask(address, 'nonsense');
    expect([bad.status, await bad.json()]).toMatchObject([
      401,
      { error: { status: 'UNAUTHENTICATED', errors: [{ reason: 'authError' }] } },
    ]);

    const { tokens } = await signInWithGoogle(sandbox, {}, { scope: 'openid email' });
    const poor = await ask(address, tokens.access_token);
    expect([poor.status, await poor.json()]).toMatchObject([
      403,
      { error: { errors: [{ reason: 'insufficientPermissions' }] } },
    ]);

    const other = await ask(address.replace('/me/', '/somebody@else.example/'), token);
    expect(other.status).toBe(403);
    sandbox.control.google.expireAccessTokens();
    expect((await ask(address, token)).status).toBe(401);
  });
});
