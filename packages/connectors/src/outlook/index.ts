import { mailboxEntity, messageEntity, type SessionOptions } from '../imap/entities.ts';
import { type Connector, defineConnector } from '../sdk/index.ts';
import { MicrosoftAuthorization, type PlatformOptions } from './authorization.ts';
import { classifyOutlook } from './classify.ts';
import { type MailServer, outlookAccount } from './mail-server.ts';

/** Options of the Outlook connector. */
export interface OutlookOptions extends PlatformOptions {
  /** The mail server of all mailboxes, e.g. `{ host: 'outlook.office365.com', port: 993, security: 'tls' }`. */
  mailServer: MailServer;
}

const ENVELOPE =
  'M3 5h18a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zm.5 1.5v11h17v-11zm1.4 1.3 7.1 5.3 7.1-5.3.9 1.2-8 6-8-6z';

/** Creates the connector for mailboxes of Microsoft 365 and Outlook.com, by IMAP with tokens of Microsoft's identity platform. */
export function outlookConnector({ mailServer, ...platform }: OutlookOptions): Connector {
  const options: SessionOptions = {
    hosts: [mailServer.host],
    accountOf: (fields) => outlookAccount(mailServer, fields),
    usesToken: true,
    classify: classifyOutlook,
  };
  return defineConnector({
    key: 'outlook',
    title: 'Outlook',
    description: 'Synchronize the mailboxes and messages of Microsoft 365 and Outlook.com.',
    mark: ENVELOPE,
    // Exchange limits connections, not requests, as IMAP servers do.
    quota: { unitsPerMinute: Number.POSITIVE_INFINITY, concurrency: 2 },
    authorization: new MicrosoftAuthorization(platform),
    entities: [mailboxEntity('outlook', options), messageEntity('outlook', options)],
  });
}
