import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ImapFlow } from 'imapflow';
import type { Dovecot } from './dovecot.ts';

/** Changes one user's mailboxes directly on the server, without the connector. */
export class MailboxControl {
  readonly #dovecot: Dovecot;
  readonly user: string;
  readonly #password: string;
  #imap: ImapFlow | undefined;

  constructor(dovecot: Dovecot, user: string, password: string) {
    this.#dovecot = dovecot;
    this.user = user;
    this.#password = password;
  }

  async create(mailbox: string): Promise<void> {
    await (await this.#open()).mailboxCreate(mailbox);
  }

  /** Deletes and recreates a mailbox, which changes its UIDVALIDITY. */
  async recreate(mailbox: string): Promise<void> {
    await this.delete(mailbox);
    await this.create(mailbox);
  }

  async delete(mailbox: string): Promise<void> {
    const imap = await this.#open();
    await imap.mailboxClose();
    await imap.mailboxDelete(mailbox);
  }

  async rename(mailbox: string, to: string): Promise<void> {
    const imap = await this.#open();
    await imap.mailboxClose();
    await imap.mailboxRename(mailbox, to);
  }

  /** Appends a message. @returns its UID */
  async append(mailbox: string, mail: string, received = new Date(), flags: string[] = []): Promise<number> {
    const stored = await (await this.#open()).append(mailbox, mail, flags, received);
    if (!stored || stored.uid === undefined) throw new Error('the mail was not stored');
    return stored.uid;
  }

  /** Writes a mail as a file, for content that IMAP's APPEND rejects. @returns its UID */
  async deliver(mailbox: string, mail: Buffer): Promise<number> {
    const config = join(this.#dovecot.folder, 'dovecot.conf');
    execFileSync('doveadm', ['-c', config, 'save', '-u', this.user, '-m', mailbox], { input: mail });
    const uids = (await this.list(mailbox)).map(({ uid }) => uid);
    return Math.max(...uids);
  }

  async flag(mailbox: string, uid: number, flag: string): Promise<void> {
    await this.#within(mailbox, (imap) => imap.messageFlagsAdd(String(uid), [flag], { uid: true }));
  }

  async unflag(mailbox: string, uid: number, flag: string): Promise<void> {
    await this.#within(mailbox, (imap) => imap.messageFlagsRemove(String(uid), [flag], { uid: true }));
  }

  /** Moves a message to another mailbox. @returns its UID there */
  async move(mailbox: string, uid: number, to: string): Promise<number> {
    const moved = await this.#within(mailbox, (imap) => imap.messageMove(String(uid), to, { uid: true }));
    const now = moved === false ? undefined : moved.uidMap?.get(uid);
    if (now === undefined) throw new Error('the mail was not moved');
    return now;
  }

  /** Removes all messages of a mailbox. */
  async clear(mailbox: string): Promise<void> {
    await this.#within(mailbox, (imap) => imap.messageDelete('1:*', { uid: true }));
  }

  async remove(mailbox: string, uid: number): Promise<void> {
    await this.#within(mailbox, (imap) => imap.messageDelete(String(uid), { uid: true }));
  }

  /** Lists the messages with the server's administration tool, by UID. */
  async list(mailbox: string): Promise<{ uid: number; received: string }[]> {
    const listed = this.#dovecot.admin(
      '-f',
      'json',
      'fetch',
      '-u',
      this.user,
      'uid date.received',
      'mailbox',
      mailbox,
    );
    const rows = JSON.parse(listed.trim() || '[]') as { uid: string; 'date.received': string }[];
    return rows.map((row) => ({ uid: Number(row.uid), received: row['date.received'] }));
  }

  uidValidity(mailbox: string): string {
    const status = this.#dovecot.admin(
      '-f',
      'json',
      'mailbox',
      'status',
      '-u',
      this.user,
      'uidvalidity',
      mailbox,
    );
    const [row] = JSON.parse(status) as { uidvalidity: string }[];
    return String(row?.uidvalidity);
  }

  /** Saves the current mail for `restore`. */
  save(): void {
    execFileSync('cp', ['-a', this.#store, `${this.#store}.saved`]);
  }

  /** Restores the saved mail, including UIDs. */
  restore(): void {
    this.close();
    rmSync(this.#store, { recursive: true, maxRetries: 5 });
    execFileSync('cp', ['-a', `${this.#store}.saved`, this.#store]);
  }

  close(): void {
    this.#imap?.close();
    this.#imap = undefined;
  }

  get #store(): string {
    return join(this.#dovecot.folder, 'mail', this.user);
  }

  async #open(): Promise<ImapFlow> {
    if (this.#imap?.usable) return this.#imap;
    const auth = { user: this.user, pass: this.#password };
    const { plain: port } = this.#dovecot.ports;
    const imap = new ImapFlow({
      host: '127.0.0.1',
      port,
      secure: false,
      doSTARTTLS: false,
      auth,
      logger: false,
      disableAutoIdle: true,
    });
    imap.on('error', () => undefined);
    await imap.connect();
    this.#imap = imap;
    return imap;
  }

  async #within<T>(mailbox: string, change: (imap: ImapFlow) => Promise<T>): Promise<T> {
    const imap = await this.#open();
    const lock = await imap.getMailboxLock(mailbox);
    try {
      return await change(imap);
    } finally {
      lock.release();
    }
  }
}
