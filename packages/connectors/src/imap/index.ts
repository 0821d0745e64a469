import { type Connector, defineConnector } from '../sdk/index.ts';
import { ImapAuthorization } from './authorization.ts';
import { mailboxEntity } from './mailboxes.ts';
import { messageEntity } from './messages.ts';

/** Options of the IMAP connector. */
export interface ImapOptions {
  /** Mail servers that users may connect to; see `resolveHost`. */
  hosts: readonly string[];
  /** A certificate authority to trust in addition to the system's, PEM. */
  ca?: string;
}

const ENVELOPE =
  'M3 5h18a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zm1.8 2L12 12.2 19.2 7zM4 8.9V17h16V8.9l-8 5.8z';

/** Creates the connector for mailboxes on any IMAP server (RFC 3501, RFC 9051). */
export function imapConnector({ hosts, ca }: ImapOptions): Connector {
  const options = { hosts, ca };
  return defineConnector({
    key: 'imap',
    title: 'IMAP',
    description: 'Synchronize the mailboxes and messages of any mail server that speaks IMAP.',
    mark: ENVELOPE,
    // Servers limit connections, not requests; each read uses its own connection.
    quota: { unitsPerMinute: Number.POSITIVE_INFINITY, concurrency: 2 },
    formAuthorization: new ImapAuthorization(options),
    entities: [mailboxEntity('imap', options), messageEntity('imap', options)],
  });
}
