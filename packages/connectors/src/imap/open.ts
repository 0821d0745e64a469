import { isIP } from 'node:net';
import type { Account } from './account.ts';
import { BoundedImap, GREETING_BYTES } from './bounded-imap.ts';

/** Parameters to open a connection, sent to the session thread. */
export interface OpenOptions {
  account: Account;
  /** The resolved IP address to connect to. */
  address: string;
  /** A certificate authority to trust in addition to the system's, PEM. */
  ca?: string | undefined;
  password: string;
  /** Longest time without data from the server, ms. */
  idleTimeoutMs: number;
  /** The mailbox to open, if any. */
  mailbox?: string | undefined;
}

/** The state of a mailbox when it was opened. */
export interface MailboxState {
  /** Changes when the server renumbers the mailbox's UIDs. */
  uidValidity: string;
  /** Lower bound of the UIDs of future messages. */
  uidNext: number;
  /** Highest modification sequence (CONDSTORE); null if the server does not support it. */
  modseq: string | null;
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
  password,
  idleTimeoutMs,
}: OpenOptions): Promise<BoundedImap> {
  const imap = new BoundedImap({
    host: address,
    port: account.port,
    secure: account.security === 'tls',
    doSTARTTLS: account.security === 'starttls',
    ...tlsOptions(account, ca),
    auth: { user: account.user, pass: password },
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
    return imap;
  } catch (error) {
    imap.close();
    throw error;
  }
}

/** Opens a mailbox read-only, so that reading does not set \Seen. */
export async function openMailbox(imap: BoundedImap, mailbox: string): Promise<MailboxState> {
  const box = await imap.command(GREETING_BYTES, () => imap.mailboxOpen(mailbox, { readOnly: true }));
  const counts = box.highestModseq !== undefined && box.noModseq !== true;
  return {
    uidValidity: String(box.uidValidity),
    uidNext: box.uidNext,
    modseq: counts ? String(box.highestModseq) : null,
  };
}
