import { type MailOddity, oddMail } from '@datadeck/test-sandbox';
import { recordId } from '../../src/imap/mail-columns.ts';
import type { Connector, Credentials } from '../../src/sdk/index.ts';
import type { ConformanceSubject, StandIn } from '../conformance/index.ts';
import { Dovecot } from './dovecot.ts';
import { FaultProxy } from './fault-proxy.ts';
import { MailboxControl } from './mailbox-control.ts';

const PASSWORD = 'open sesame';
/** A name whose encoding on the wire differs from its text. */
export const MAILBOX = 'Arbeit/Grüße & more';
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

/** Lists the ids of a scope without the connector. */
type Lister = (control: MailboxControl, dovecot: Dovecot) => Promise<string[]>;

export const listMessages: Lister = async (control) => {
  const uidValidity = control.uidValidity(MAILBOX);
  const found = await control.list(MAILBOX);
  const newestFirst = found.sort((a, b) => b.received.localeCompare(a.received) || b.uid - a.uid);
  return newestFirst.map(({ uid }) => recordId({ mailbox: MAILBOX, uidValidity }, uid));
};

export const listMailboxes: Lister = async (control, dovecot) => {
  const names = dovecot.admin('mailbox', 'list', '-8', '-u', control.user).trim().split('\n');
  const others = names.filter((name) => name !== 'INBOX' && name !== 'Archive' && name !== 'Arbeit').sort();
  return ['INBOX', ...others];
};

const uidOf = (id: string) => Number(id.slice(id.lastIndexOf('/') + 1));

/** The connector of a mail server on a port of loopback, with the credentials of the user. */
interface ConnectedMailServer {
  connector: Connector;
  credentials: Credentials;
  expireTokens?(): void;
  reset?(): void;
  close?(): Promise<void>;
}

/** How a connector is connected with the mail server of a stand-in. */
interface MailDoor {
  user: string;
  /** Where the server checks tokens of OAuth, if it accepts them. */
  introspectionUrl?: string;
  connect(port: number): ConnectedMailServer | Promise<ConnectedMailServer>;
}

/** Returns the function that starts Dovecot with some mails behind a proxy, as a stand-in for the conformance suite. */
export function mailboxStarter(list: Lister, openDoor: (password: string) => MailDoor | Promise<MailDoor>) {
  return async (): Promise<StandIn> => {
    const { user, introspectionUrl, connect } = await openDoor(PASSWORD);
    const dovecot = await Dovecot.start({ [user]: PASSWORD }, introspectionUrl);
    const proxy = await FaultProxy.start(dovecot.ports.plain);
    const control = new MailboxControl(dovecot, user, PASSWORD);
    await fill(control);
    control.close();
    control.save();
    const { connector, credentials, expireTokens, ...door } = await connect(proxy.port);
    let isChanged = false;
    const changing = <T>(outcome: T) => {
      isChanged = true;
      return outcome;
    };
    const idOf = (uid: number) =>
      recordId({ mailbox: MAILBOX, uidValidity: control.uidValidity(MAILBOX) }, uid);
    return {
      connector,
      credentials,
      ...(expireTokens && { expireTokens }),
      reset() {
        proxy.reset();
        door.reset?.();
        if (isChanged) control.restore();
        isChanged = false;
      },
      async close() {
        control.close();
        await proxy.close();
        await dovecot.stop();
        await door.close?.();
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

/** What all connectors of mail servers have in common. */
export const mailSubject = {
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
    redirects: 'IMAP has no redirects',
    units: 'IMAP has no quota of units',
  },
  endsIn: {
    'connection-reset': 'unavailable',
    'stalled-stream': 'unavailable',
    bye: 'unavailable',
    unavailable: 'unavailable',
    'too-many-connections': 'rate-limited',
  },
} as const satisfies Partial<ConformanceSubject>;
