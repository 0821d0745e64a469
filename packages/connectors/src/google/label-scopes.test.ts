import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConnectedGmail, connectGmail } from '../../test-support/connected-gmail.ts';
import { Reader } from '../sdk/conformance/reading.ts';
import type { ScopeChoice } from '../sdk/index.ts';
import { labelScopes } from './label-scopes.ts';

const ACCOUNT = 'ada.nowak@sandbox.example';
let gmail: ConnectedGmail;

beforeAll(async () => {
  gmail = await connectGmail(ACCOUNT);
});
afterAll(() => gmail.sandbox.close());

async function list() {
  const { signal } = new AbortController();
  const client = new Reader({ entity: 'gmail-messages', settings: {} }, gmail).client(signal);
  const choices: ScopeChoice[] = [];
  for await (const batch of labelScopes.list({ client, signal })) choices.push(...batch);
  return { choices, requests: client.requests };
}

describe('labels to choose from', () => {
  it('have names and counts', async () => {
    const { choices, requests } = await list();
    expect(requests).toBe(choices.length + 1);
    expect(choices.find(({ name }) => name === 'INBOX')?.count).toBeGreaterThan(10);
    const own = choices.filter(({ name, title }) => name !== title);
    expect(own.length).toBeGreaterThan(0);
    expect(
      choices
        .filter(({ isTrash }) => isTrash)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['SPAM', 'TRASH']);
  });

  it('form sets, which are named by their sorted ids', () => {
    expect(labelScopes.nameOf({ labelIds: 'SENT, INBOX,SENT' })).toBe('INBOX,SENT');
    expect(labelScopes.problemOf('INBOX,SENT')).toBeUndefined();
    for (const text of ['SENT,INBOX', 'INBOX,INBOX', 'INBOX,', 'a-b', '*', 'x'.repeat(1001)])
      expect(labelScopes.problemOf(text), text).toMatch(/\.$/);
  });
});
