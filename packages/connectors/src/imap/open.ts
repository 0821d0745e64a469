import { isIP } from 'node:net';
import type { Account } from './account.ts';
import { BoundedImap, GREETING_BYTES } from './bounded-imap.ts';

/** How a connection is opened, as it is sent to the thread. */
export interface Opening {
  account: Account;
  /** The address to connect to. */
  address: string;
  /** A certificate authority to trust in addition to the system's, PEM. */
  ca?: string | undefined;
  password: string;
  /** The server may be silent for so long, ms. */
  idleTimeoutMs: number;
  /** Undefined: none is opened. */
  mailbox?: string | undefined;
}

/** A mailbox as it was when it was opened. */
export interface MailboxState {
  /** Changes when the mailbox's UIDs are numbered again. */
  uidValidity: string;
  /** Messages to come have this UID or a greater one. */
  uidNext: number;
  /** Number of the latest change; null where the server does not count changes. */
  modseq: string | null;
}

function tlsOptions({ host }: Account, ca: string | undefined) {
  const name = isIP(host) === 0 ? { servername: host } : {};
  return { ...name, tls: { minVersion: 'TLSv1.2' as const, ...(ca === undefined ? {} : { ca }) } };
}

/** Opens a signed-in connection. @throws what imapflow throws */
export async function openImap({
  account,
  address,
  ca,
  password,
  idleTimeoutMs,
}: Opening): Promise<BoundedImap> {
  const imap = new BoundedImap({
    host: address,
    port: account.port,
    secure: account.security === 'tls',
    doSTARTTLS: account.security === 'starttls',
    ...tlsOptions(account, ca),
    auth: { user: account.user, pass: password },
    clientInfo: { name: 'Datadeck' },
    // Its log would hold what mails say.
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

/** Opens a mailbox read-only, so that reading marks nothing as seen. */
export async function openMailbox(imap: BoundedImap, mailbox: string): Promise<MailboxState> {
  const box = await imap.command(GREETING_BYTES, () => imap.mailboxOpen(mailbox, { readOnly: true }));
  const counts = box.highestModseq !== undefined && box.noModseq !== true;
  return {
    uidValidity: String(box.uidValidity),
    uidNext: box.uidNext,
    modseq: counts ? String(box.highestModseq) : null,
  };
}
