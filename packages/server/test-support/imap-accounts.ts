import { type Dovecot, MailboxControl } from '@datadeck/connectors/test-support/imap';
import { connectAccount } from '../src/app/connect-account.ts';
import {
  type AccountWorld,
  type ConnectingUser,
  type Place,
  type ProviderRecord,
  pick,
  type Random,
} from './account-world.ts';

const USERS = ['anna', 'ben', 'cleo'] as const;
/** The first password of each user, for the start of the server. */
export const MAIL_PASSWORDS = Object.fromEntries(USERS.map((user) => [user, passwordOf(user, 0)]));
const HOST = '127.0.0.1';
const TRASH = 'Trash';
const FLAGS = ['\\Seen', '\\Flagged'];
const MAX_BEGIN = 8;

function passwordOf(user: string, number: number): string {
  return `${user}-${number}`;
}

interface Message {
  uid: number;
  /** Time the server received it, ms since 1970. */
  received: number;
  subject: string;
  flags: Set<string>;
}

interface Mailbox {
  uidValidity: string;
  messages: Message[];
}

/** A user of the mail server. */
class MailUser {
  readonly name: string;
  readonly #dovecot: Dovecot;
  control: MailboxControl;
  passwords = 0;
  /** By present name. */
  mailboxes = new Map<string, Mailbox>();
  /** Every name that a mailbox of this history has or had. */
  names = new Set<string>();

  constructor(name: string, dovecot: Dovecot) {
    this.name = name;
    this.#dovecot = dovecot;
    this.control = new MailboxControl(dovecot, name, this.password);
  }

  get password(): string {
    return passwordOf(this.name, this.passwords);
  }

  useNextPassword(): void {
    this.control.close();
    this.passwords += 1;
    this.control = new MailboxControl(this.#dovecot, this.name, this.password);
  }

  add(name: string): void {
    this.mailboxes.set(name, { uidValidity: this.control.uidValidity(name), messages: [] });
    this.names.add(name);
  }
}

const isPattern = (name: string) => name === '*' || name === '* -trash';
const contentOf = (subject: string, flags: Iterable<string>) => `${subject} ${[...flags].sort().join(' ')}`;

/** Mailboxes of three accounts on a Dovecot server. */
export class ImapAccounts implements AccountWorld {
  readonly provider = 'imap';
  readonly entity = 'imap-messages';
  readonly template = 'imap-messages-all';
  readonly hasGlobalIds = false;
  readonly accounts = USERS.map((user) => `${user}@${HOST}`);
  readonly #dovecot: Dovecot;
  readonly #users: ReadonlyMap<string, MailUser>;
  #named = 0;

  constructor(dovecot: Dovecot) {
    this.#dovecot = dovecot;
    this.#users = new Map(USERS.map((user) => [`${user}@${HOST}`, new MailUser(user, dovecot)]));
  }

  #user(account: string): MailUser {
    return this.#users.get(account) as MailUser;
  }

  // The form may be sent 20 times a minute, which is too few for many histories.
  async connect({ product, userId }: ConnectingUser, account: string): Promise<void> {
    const { name: user, password } = this.#user(account);
    const values = { host: HOST, port: String(this.#dovecot.ports.plain), security: 'none', user, password };
    await connectAccount(product, { userId, provider: this.provider, values });
  }

  async begin(random: Random): Promise<void> {
    for (const user of this.#users.values()) {
      for (const name of user.mailboxes.keys()) if (name !== 'INBOX') await user.control.delete(name);
      await user.control.clear('INBOX');
      user.mailboxes = new Map();
      user.names = new Set();
      user.add('INBOX');
      for (const name of [this.#newName(), TRASH]) await this.#create(user, name);
      for (const name of user.mailboxes.keys())
        for (let count = Math.floor(random() * MAX_BEGIN); count > 0; count--)
          await this.#append(random, user, name);
    }
  }

  #newName(): string {
    this.#named += 1;
    return `Folder ${this.#named}`;
  }

  async #create(user: MailUser, name: string): Promise<void> {
    await user.control.create(name);
    user.add(name);
  }

  async #append(random: Random, user: MailUser, name: string): Promise<void> {
    // Often at the same instant, often older than existing messages.
    const received = Date.UTC(2026, 0, 1) + Math.floor(random() * 30) * 60_000;
    const subject = `Mail ${random()}`;
    const flags = FLAGS.filter(() => random() < 0.3);
    const mail = `From: bo@example.org\r\nTo: ${user.name}@example.org\r\nSubject: ${subject}\r\n\r\nHello.`;
    const uid = await user.control.append(name, mail, new Date(received), flags);
    user.mailboxes.get(name)?.messages.push({ uid, received, subject, flags: new Set(flags) });
  }

  async change(random: Random): Promise<void> {
    const user = pick(random, [...this.#users.values()]);
    const name = pick(random, [...user.mailboxes.keys()]);
    const messages = user.mailboxes.get(name)?.messages ?? [];
    const kind = random();
    if (kind < 0.35) await this.#append(random, user, name);
    else if (kind < 0.75) {
      if (messages.length > 0) await this.#changeMessage(random, user, name);
    } else if (kind < 0.8) await this.#create(user, this.#newName());
    else if (name !== 'INBOX') await this.#changeMailbox(random, user, name);
  }

  async #changeMessage(random: Random, user: MailUser, name: string): Promise<void> {
    const mailbox = user.mailboxes.get(name) as Mailbox;
    const message = pick(random, mailbox.messages);
    const flag = pick(random, FLAGS);
    const kind = random();
    if (kind < 0.4) {
      await user.control.remove(name, message.uid);
      mailbox.messages = mailbox.messages.filter((one) => one !== message);
    } else if (kind < 0.7) {
      await user.control.flag(name, message.uid, flag);
      message.flags.add(flag);
    } else if (kind < 0.85) {
      await user.control.unflag(name, message.uid, flag);
      message.flags.delete(flag);
    } else {
      const to = pick(random, [...user.mailboxes.keys()]);
      if (to === name) return;
      const uid = await user.control.move(name, message.uid, to);
      mailbox.messages = mailbox.messages.filter((one) => one !== message);
      user.mailboxes.get(to)?.messages.push({ ...message, uid, flags: new Set(message.flags) });
    }
  }

  async #changeMailbox(random: Random, user: MailUser, name: string): Promise<void> {
    const mailbox = user.mailboxes.get(name) as Mailbox;
    const kind = random();
    user.mailboxes.delete(name);
    if (kind < 0.4) {
      const free = [...user.names].filter((one) => one !== name && !user.mailboxes.has(one));
      const to = free.length > 0 && random() < 0.5 ? pick(random, free) : this.#newName();
      await user.control.rename(name, to);
      user.mailboxes.set(to, mailbox);
      user.names.add(to);
    } else if (kind < 0.7) await user.control.delete(name);
    else {
      await user.control.delete(name);
      await this.#create(user, name);
    }
  }

  choose(random: Random, account: string): string[] {
    const { names } = this.#user(account);
    const chosen = [...names].filter(() => random() < 0.5);
    if (random() < 0.3) chosen.push(random() < 0.5 ? '*' : '* -trash');
    return chosen.length > 0 ? chosen : [pick(random, [...names])];
  }

  settingsOf(name: string): Record<string, string> {
    return { mailbox: name };
  }

  keyOf(name: string): string {
    return name;
  }

  isPattern(name: string): boolean {
    return isPattern(name);
  }

  expand(account: string, pattern: string): string[] {
    return [...this.#user(account).mailboxes.keys()].filter((name) => pattern === '*' || name !== TRASH);
  }

  find(account: string, name: string): Place {
    return this.#user(account).mailboxes.has(name) ? { name, isMoved: false } : undefined;
  }

  records(account: string, name: string): ProviderRecord[] {
    const mailbox = this.#user(account).mailboxes.get(name);
    if (!mailbox) return [];
    return [...mailbox.messages]
      .sort((one, other) => other.received - one.received || other.uid - one.uid)
      .map(({ uid, subject, flags }) => ({
        id: `${name}/${mailbox.uidValidity}/${uid}`,
        content: contentOf(subject, flags),
        updated: '',
      }));
  }

  contentOf(_id: string, document: unknown): string {
    const { subject, flags } = document as { subject: string; flags: string[] };
    return contentOf(subject, flags);
  }

  /** Changes the password: the stored one is refused from now on. */
  async revoke(account: string): Promise<void> {
    this.#user(account).useNextPassword();
    const users = [...this.#users.values()];
    await this.#dovecot.changePasswords(
      Object.fromEntries(users.map(({ name, password }) => [name, password])),
    );
  }

  close(): void {
    for (const { control } of this.#users.values()) control.close();
  }
}
