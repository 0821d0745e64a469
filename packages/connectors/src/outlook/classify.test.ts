import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScriptedServer } from '../../test-support/imap/scripted-server.ts';
import { ProviderClient, Scheduler } from '../sdk/index.ts';
import { OUTLOOK_MESSAGES } from './classify.ts';
import { outlookConnector } from './index.ts';

let server: ScriptedServer;
let renewals: number;

beforeEach(async () => {
  renewals = 0;
  server = await ScriptedServer.start();
  server.greeting = '* OK ready\r\n';
});
afterEach(() => server.close());

/** Reads the mailboxes as a run does. @returns the error that ends it */
async function failure(): Promise<unknown> {
  const connector = outlookConnector({
    url: 'http://127.0.0.1:9',
    tenant: 'common',
    client: { id: 'id', secret: 'secret' },
    mailServer: { host: '127.0.0.1', port: server.port, security: 'none' },
  });
  const client = new ProviderClient({
    connector,
    scheduler: new Scheduler(connector.quota),
    credentials: async (refresh) => {
      if (refresh) renewals++;
      return { accessToken: `token-${renewals}`, fields: { user: 'ada@aurora.example' }, scopes: [] };
    },
    signal: new AbortController().signal,
  });
  const [mailboxes] = connector.entities;
  const stored = async function* () {};
  const request = { client, settings: {}, cursor: null, limit: 10, stored };
  return mailboxes?.estimate(request).then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

const CAPABILITIES = '* CAPABILITY IMAP4rev1 NAMESPACE AUTH=PLAIN AUTH=XOAUTH2 SASL-IR';

/** Lets the server answer a command in its own way. */
function answer(command: string, ...lines: string[]): void {
  server.rewrite = (name, sent, line) => {
    if (name === 'CAPABILITY') return [CAPABILITIES, ...sent.slice(1)];
    return name === command ? lines.map((one) => one.replace('TAG', line.split(' ')[0] ?? '')) : sent;
  };
}

describe('a mailbox that is closed to IMAP', () => {
  it('signs in by XOAUTH2 with user and token', async () => {
    answer('NAMESPACE', '* NAMESPACE (("" "/")) NIL NIL', 'TAG OK done');
    expect(await failure()).toBe('no failure');
    const sent = server.commands.find((line) => line.includes('AUTHENTICATE')) ?? '';
    const [, , mechanism, payload = ''] = sent.split(' ');
    expect(mechanism).toBe('XOAUTH2');
    expect(Buffer.from(payload, 'base64').toString()).toBe(
      'user=ada@aurora.example\u0001auth=Bearer token-0\u0001\u0001',
    );
  });

  it('is named at once when the server accepts the token and no command', async () => {
    answer('NAMESPACE', 'TAG BAD User is authenticated but not connected.');
    expect(await failure()).toMatchObject({ failure: 'forbidden', message: OUTLOOK_MESSAGES.noMailbox });
    expect(renewals).toBe(0);
  });

  it('is named after one renewal when the server refuses the token', async () => {
    answer('AUTHENTICATE', 'TAG NO AUTHENTICATE failed.');
    expect(await failure()).toMatchObject({ failure: 'forbidden', message: OUTLOOK_MESSAGES.imapOff });
    expect(renewals).toBe(1);
  });

  it('says what to do', () => {
    for (const text of Object.values(OUTLOOK_MESSAGES))
      expect(text).toMatch(/IMAP is switched off.*Manage email apps.*Outlook\.com/);
  });
});
