import { type Connector, defineConnector, type OAuthClient } from '../sdk/index.ts';
import { GoogleAuthorization } from './authorization.ts';
import { classifyGmail } from './classify.ts';
import { gmailLabels, labelRecord } from './labels.ts';
import { messageRecord } from './mail-record.ts';
import { gmailMessages, standInMessages } from './messages.ts';

export { labelRecord, messageRecord };

/** Options of the Gmail connector. */
export interface GoogleOptions {
  /** OpenID issuer, e.g. https://accounts.google.com. */
  issuer: string;
  /** Gmail API, e.g. https://gmail.googleapis.com. */
  apiUrl: string;
  client: OAuthClient;
  /** Quota units per minute and user. */
  unitsPerMinute: number;
}

/** Returns whether an API address is that of the real Gmail, not of the sandbox or another stand-in. */
const isGmail = (apiUrl: string) => URL.parse(apiUrl)?.hostname === 'gmail.googleapis.com';

/** Creates the Gmail connector; its authorization also serves "Sign in with Google". */
export function googleConnector(options: GoogleOptions): Connector {
  return defineConnector({
    key: 'google',
    title: 'Gmail',
    description: 'Synchronize the labels and messages of your mailbox.',
    mark: 'M24 5.457v13.909c0 .904-.732 1.636-1.636 1.636h-3.819V11.73L12 16.64l-6.545-4.91v9.273H1.636A1.636 1.636 0 0 1 0 19.366V5.457c0-2.023 2.309-3.178 3.927-1.964L5.455 4.64 12 9.548l6.545-4.91 1.528-1.145C21.69 2.28 24 3.434 24 5.457z',
    apiUrl: options.apiUrl,
    quota: {
      unitsPerMinute: options.unitsPerMinute,
      concurrency: 5,
      maxConcurrency: 10,
    },
    authorization: new GoogleAuthorization(options.issuer, options.client),
    entities: [gmailLabels, isGmail(options.apiUrl) ? gmailMessages : standInMessages()],
    classify: classifyGmail,
  });
}
