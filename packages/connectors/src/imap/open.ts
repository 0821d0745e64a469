import { isIP } from 'node:net';
import type { Account } from './account.ts';
import { BoundedImap, GREETING_BYTES, type MailboxStatus } from './bounded-imap.ts';
import { interpretError } from './classify.ts';
import { isAnswered } from './mail-query.ts';
import { wireNameOf } from './mailbox-wire.ts';
import { NOT_NUMBERED } from './numbering.ts';

/** Parameters to open a connection, sent to the session thread. */
export interface OpenOptions {
  account: Account;
  /** The resolved IP address to connect to. */
  address: string;
  /** A certificate authority to trust in addition to the system's, PEM. */
  ca?: string | undefined;
  /** What proves the user's identity: a password, or a token of OAuth. */
  secret: { value: string; isToken: boolean };
  /** Longest time without data from the server, ms. */
  idleTimeoutMs: number;
  /** The mailbox to open, if any. */
  mailbox?: string | undefined;
}

function tlsOptions({ host }: Account, ca: string | undefined) {
  const name = isIP(host) === 0 ? { servername: host } : {};
  return { ...name, tls: { minVersion: 'TLSv1.2' as const, ...(ca === undefined ? {} : { ca }) } };
}

/** Connects and signs in. @throws imapflow's errors */
export async function openImap({
  account,
  address,
  ca,
  secret,
  idleTimeoutMs,
}: OpenOptions): Promise<BoundedImap> {
  const imap = new BoundedImap({
    host: address,
    port: account.port,
    secure: account.security === 'tls',
    doSTARTTLS: account.security === 'starttls',
    ...tlsOptions(account, ca),
    auth: { user: account.user, [secret.isToken ? 'accessToken' : 'pass']: secret.value },
    clientInfo: { name: 'Datadeck' },
    // imapflow's log would contain mail content.
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: idleTimeoutMs,
    greetingTimeout: idleTimeoutMs,
    socketTimeout: idleTimeoutMs,
  });
  try {
    await imap.command(GREETING_BYTES, () => imap.connect());
    imap.takeNamesAsListed();
    return imap;
  } catch (error) {
    imap.close();
    throw error;
  }
}

/** Opens a mailbox by one of the names that are read as this one; a name without the namespace's prefix is tried last. */
async function examine(imap: BoundedImap, mailbox: string): ReturnType<BoundedImap['examine']> {
  const name = await wireNameOf(imap, mailbox);
  try {
    return await imap.command(GREETING_BYTES, () => imap.examine(name));
  } catch (error) {
    const { personalPrefix } = imap;
    const isMissing = interpretError(error).kind === 'missing' && imap.usable;
    if (!isMissing || personalPrefix === '' || mailbox.startsWith(personalPrefix)) throw error;
    const prefixed = await wireNameOf(imap, personalPrefix + mailbox);
    return imap.command(GREETING_BYTES, () => imap.examine(prefixed));
  }
}

/** Opens a mailbox read-only. @returns its UIDVALIDITY, which changes when the server renumbers its messages */
export async function openMailbox(imap: BoundedImap, mailbox: string): Promise<string> {
  const box = await examine(imap, mailbox);
  const opened = box.uidValidity as bigint | undefined;
  if (opened) return String(opened);
  const status = await imap
    .command(GREETING_BYTES, () => imap.statusOf(undefined, ['UIDVALIDITY']))
    .catch((error): MailboxStatus => {
      if (!isAnswered(imap, error)) throw error;
      return {};
    });
  return String(status.uidvalidity || NOT_NUMBERED);
}
