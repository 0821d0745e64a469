import { MAIL_ODDITIES, startSandbox } from '@datadeck/test-sandbox';
import { describe } from 'vitest';
import { describeConnector } from '../../test-support/conformance/index.ts';
import { connectOutlook, INTROSPECTION } from '../../test-support/connected-outlook.ts';
import { DOVECOT_MISSING } from '../../test-support/imap/index.ts';
import {
  listMailboxes,
  listMessages,
  MAILBOX,
  mailboxStarter,
  mailSubject,
} from '../../test-support/imap/mailbox-stand-in.ts';

const USER = 'ada@aurora.example';

async function openDoor() {
  const sandbox = await startSandbox();
  return {
    user: USER,
    introspectionUrl: sandbox.urls().microsoftUrl + INTROSPECTION,
    async connect(port: number) {
      return {
        ...(await connectOutlook(sandbox, port, USER)),
        expireTokens: () => sandbox.control.microsoft.expireAccessTokens(),
        reset: () => sandbox.control.reset(),
        close: () => sandbox.close(),
      };
    },
  };
}

const common = {
  ...mailSubject,
  endsIn: { ...mailSubject.endsIn, 'token-expired': 'forbidden' },
};

describe.skipIf(DOVECOT_MISSING)('Outlook connector with Dovecot and tokens', () => {
  describeConnector({
    ...common,
    name: 'outlook-mailboxes',
    entity: 'outlook-mailboxes',
    settings: {},
    isIncremental: false,
    start: mailboxStarter(listMailboxes, openDoor),
    oddities: [],
  });

  describeConnector({
    ...common,
    name: 'outlook-messages',
    entity: 'outlook-messages',
    settings: { mailbox: MAILBOX },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.received_at),
    start: mailboxStarter(listMessages, openDoor),
    endsIn: {
      ...common.endsIn,
      'mailbox-missing': 'not-found',
      'no-permission': 'forbidden',
      'fetch-refused': 'malformed',
    },
    oddities: MAIL_ODDITIES,
  });
});
