import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectOutlook, INTROSPECTION } from '../../test-support/connected-outlook.ts';
import { DOVECOT_MISSING, Dovecot, FaultProxy, MailboxControl } from '../../test-support/imap/index.ts';
import { nothingStored } from '../../test-support/nothing-stored.ts';
import { type Credentials, ProviderClient, Scheduler } from '../sdk/index.ts';

const USER = 'ada@aurora.example';
/** More than fit into a page. */
const MESSAGES = 105;

describe.skipIf(DOVECOT_MISSING)('a run of Outlook', () => {
  let sandbox: StartedSandbox;
  let dovecot: Dovecot;
  let proxy: FaultProxy;

  beforeAll(async () => {
    sandbox = await startSandbox();
    dovecot = await Dovecot.start({ [USER]: 'open sesame' }, sandbox.urls().microsoftUrl + INTROSPECTION);
    proxy = await FaultProxy.start(dovecot.ports.plain);
    const mailbox = new MailboxControl(dovecot, USER, 'open sesame');
    for (let index = 0; index < MESSAGES; index++) await mailbox.append('INBOX', `Subject: ${index}\r\n\r\n`);
    mailbox.close();
  });
  afterAll(async () => {
    await proxy?.close();
    await dovecot?.stop();
    await sandbox?.close();
  });

  it('renews its token between two pages and reads each message once', async () => {
    const { connector, credentials } = await connectOutlook(sandbox, proxy.port, USER);
    let current: Credentials = credentials;
    let renewals = 0;
    const client = new ProviderClient({
      connector,
      scheduler: new Scheduler(connector.quota),
      signal: new AbortController().signal,
      credentials: async (refresh) => {
        if (!refresh) return current;
        renewals++;
        current = (await connector.authorization?.refresh(current)) ?? current;
        return current;
      },
    });
    const messages = connector.entities.find(({ id }) => id === 'outlook-messages');
    const pages = messages?.read({
      client,
      settings: { mailbox: 'INBOX' },
      checkpoint: null,
      cursor: null,
      limit: MESSAGES,
      signal: new AbortController().signal,
      stored: nothingStored,
    });
    const ids: string[] = [];
    let pageCount = 0;
    for await (const page of pages ?? []) {
      pageCount++;
      ids.push(...page.records.map(({ id }) => id));
      if (ids.length >= MESSAGES) continue;
      // The server ends the session when the token does.
      sandbox.control.microsoft.expireAccessTokens();
      proxy.reset();
    }
    expect(new Set(ids).size).toBe(MESSAGES);
    expect(ids).toHaveLength(MESSAGES);
    expect(pageCount).toBeGreaterThan(1);
    expect(renewals).toBe(1);
    expect(current.refreshToken).not.toBe(credentials.refreshToken);
  });
});
