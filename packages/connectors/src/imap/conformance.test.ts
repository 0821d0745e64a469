import { MAIL_ODDITIES } from '@datadeck/test-sandbox';
import { describe } from 'vitest';
import { describeConnector } from '../../test-support/conformance/index.ts';
import { DOVECOT_MISSING } from '../../test-support/imap/index.ts';
import {
  listMailboxes,
  listMessages,
  MAILBOX,
  mailboxStarter,
  mailSubject,
} from '../../test-support/imap/mailbox-stand-in.ts';
import { imapConnector } from './index.ts';

const openDoor = (password: string) => ({
  user: 'ada',
  connect: (port: number) => ({
    connector: imapConnector({ hosts: ['127.0.0.1'] }),
    credentials: {
      accessToken: password,
      fields: { host: '127.0.0.1', port: String(port), security: 'none', user: 'ada' },
      scopes: [],
    },
  }),
});

const common = {
  ...mailSubject,
  exempt: { ...mailSubject.exempt, 'token-renewal': 'a password cannot be renewed' },
  endsIn: { ...mailSubject.endsIn, 'token-expired': 'reauthorise' },
};

describe.skipIf(DOVECOT_MISSING)('IMAP connector with Dovecot', () => {
  describeConnector({
    ...common,
    name: 'imap-mailboxes',
    entity: 'imap-mailboxes',
    settings: {},
    isIncremental: false,
    start: mailboxStarter(listMailboxes, openDoor),
    oddities: [],
  });

  describeConnector({
    ...common,
    name: 'imap-messages',
    entity: 'imap-messages',
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
