import { type Connector, defineConnector, type OAuthClient } from '../sdk/index.ts';
import { GoogleAuthorization } from './authorization.ts';
import { classifyGmail } from './classify.ts';
import { gmailLabels, labelRecord } from './labels.ts';
import { messageRecord } from './message-record.ts';
import { gmailMessages } from './messages.ts';

export { labelRecord, messageRecord };

export interface GoogleOptions {
  /** OpenID issuer, for example https://accounts.google.com. */
  issuer: string;
  /** Gmail API, for example https://gmail.googleapis.com. */
  apiUrl: string;
  client: OAuthClient;
  /** Units of the quota a minute and user. */
  unitsPerMinute: number;
}

/** The Gmail connector; its authorization also serves the product's sign-in. */
export function googleConnector(options: GoogleOptions): Connector {
  return defineConnector({
    key: 'google',
    title: 'Gmail',
    description: 'Synchronize the labels and messages of your mailbox.',
    apiUrl: options.apiUrl,
    quota: {
      unitsPerMinute: options.unitsPerMinute,
      concurrency: 5,
      mostConcurrency: 10,
    },
    authorization: new GoogleAuthorization(options.issuer, options.client),
    entities: [gmailLabels, gmailMessages],
    classify: classifyGmail,
  });
}
