import type { ProviderClient } from '../sdk/index.ts';
import type { ListedMailbox } from './mailbox-list.ts';
import { ImapSession, type SessionOptions } from './session.ts';

/** Lists the mailboxes of an account in a session of its own. @param maxCounts mailboxes whose messages are counted */
export async function fetchMailboxes(
  client: ProviderClient,
  options: SessionOptions,
  maxCounts: number,
): Promise<ListedMailbox[]> {
  const session = new ImapSession(client, options);
  try {
    return await session.request({ mailboxes: { maxCounts } });
  } finally {
    session.close();
  }
}
