import { MAIL_ODDITIES, type MailOddity, oddMail } from '@datadeck/test-sandbox';
import { describe } from 'vitest';
import {
  type ConformanceSubject,
  describeConnector,
  type StandIn,
} from '../../test-support/conformance/index.ts';
import { DOVECOT_MISSING, Dovecot, FaultProxy, MailboxControl } from '../../test-support/imap/index.ts';
import { imapConnector } from './index.ts';
import { recordId } from './mail-columns.ts';

const ADA = { user: 'ada', password: 'open sesame' };
/** A name whose encoding on the wire differs from its text. */
const MAILBOX = 'Arbeit/Grüße & more';
const MESSAGES = 40;
const LONG_AGO = Date.parse('2026-03-01T08:00:00Z');

const mail = (title: string) =>
  [
    'From: Bo Lind <bo@example.org>',
    'To: ada@example.org',
    `Subject: ${title}`,
    'Date: Sun, 01 Mar 2026 09:00:00 +0100',
    '',
    `About ${title}.`,
  ].join('\r\n');

/** Adds messages in another order than their dates; two of them have the same second. */
async function fill(control: MailboxControl): Promise<void> {
  await control.create(MAILBOX);
  for (let index = 0; index < MESSAGES; index++) {
    const hour = Math.max(1, (index * 7) % MESSAGES);
    await control.append(MAILBOX, mail(`number ${index}`), new Date(LONG_AGO + hour * 3_600_000));
  }
  for (const name of ['Sent', 'Drafts', 'Archive/2025', 'Archive/2026', 'Zettel']) await control.create(name);
}

type Lister = (control: MailboxControl, dovecot: Dovecot) => Promise<string[]>;

const listMessages: Lister = async (control) => {
  const uidValidity = control.uidValidity(MAILBOX);
  const found = await control.list(MAILBOX);
  const newestFirst = found.sort((a, b) => b.received.localeCompare(a.received) || b.uid - a.uid);
  return newestFirst.map(({ uid }) => recordId({ mailbox: MAILBOX, uidValidity }, uid));
};

const listMailboxes: Lister = async (_control, dovecot) => {
  const names = dovecot.admin('mailbox', 'list', '-8', '-u', ADA.user).trim().split('\n');
  const others = names.filter((name) => name !== 'INBOX' && name !== 'Archive' && name !== 'Arbeit').sort();
  return ['INBOX', ...others];
};

const uidOf = (id: string) => Number(id.slice(id.lastIndexOf('/') + 1));

function starter(list: Lister) {
  return async (): Promise<StandIn> => {
    const dovecot = await Dovecot.start({ [ADA.user]: ADA.password });
    const proxy = await FaultProxy.start(dovecot.ports.plain);
    const control = new MailboxControl(dovecot, ADA.user, ADA.password);
    await fill(control);
    control.close();
    control.save();
    const connector = imapConnector({ hosts: ['127.0.0.1'] });
    let isChanged = false;
    const changing = <T>(outcome: T) => {
      isChanged = true;
      return outcome;
    };
    const idOf = (uid: number) =>
      recordId({ mailbox: MAILBOX, uidValidity: control.uidValidity(MAILBOX) }, uid);
    return {
      connector,
      credentials: {
        accessToken: ADA.password,
        fields: { host: '127.0.0.1', port: String(proxy.port), security: 'none', user: ADA.user },
        scopes: [],
      },
      reset() {
        proxy.reset();
        if (isChanged) control.restore();
        isChanged = false;
      },
      async close() {
        control.close();
        await proxy.close();
        await dovecot.stop();
      },
      listIds: () => list(control, dovecot),
      inject: (fault) => proxy.inject(fault),
      mostInFlight: () => proxy.mostInFlight,
      spending: () => ({ units: 0, refused: 0 }),
      changes: {
        insert: async () => changing(idOf(await control.append(MAILBOX, mail('one more')))),
        update: (id) => changing(control.flag(MAILBOX, uidOf(id), '\\Flagged')),
        remove: (id) => changing(control.remove(MAILBOX, uidOf(id))),
        expireCursor: () => changing(control.recreate(MAILBOX)),
      },
      insertOddity: async (name) =>
        changing(idOf(await control.deliver(MAILBOX, oddMail(name as MailOddity)))),
    };
  };
}

const common = {
  survives: [
    'connection-reset',
    'stalled-stream',
    'torn-answer',
    'bye',
    'unavailable',
    'unavailable-at-sign-in',
  ],
  waitsFor: ['too-many-connections'],
  exempt: {
    'token-renewal': 'a password cannot be renewed',
    redirects: 'IMAP has no redirects',
    units: 'IMAP has no quota of units',
  },
  endsIn: {
    'connection-reset': 'unavailable',
    'stalled-stream': 'unavailable',
    bye: 'unavailable',
    unavailable: 'unavailable',
    'too-many-connections': 'rate-limited',
    'token-expired': 'reauthorise',
  },
} as const satisfies Partial<ConformanceSubject>;

describe.skipIf(DOVECOT_MISSING)('IMAP connector with Dovecot', () => {
  describeConnector({
    ...common,
    name: 'imap-mailboxes',
    entity: 'imap-mailboxes',
    settings: {},
    isIncremental: false,
    start: starter(listMailboxes),
    oddities: [],
  });

  describeConnector({
    ...common,
    name: 'imap-messages',
    entity: 'imap-messages',
    settings: { mailbox: MAILBOX },
    isIncremental: true,
    sinceTimeOf: ({ columns }) => Number(columns.received_at),
    start: starter(listMessages),
    endsIn: {
      ...common.endsIn,
      'mailbox-missing': 'not-found',
      'no-permission': 'forbidden',
      'fetch-refused': 'malformed',
    },
    oddities: MAIL_ODDITIES,
  });
});
