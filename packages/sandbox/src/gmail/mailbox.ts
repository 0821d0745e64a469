import { HistoryLog } from './history-log.ts';
import { systemLabels, userLabel } from './labels.ts';
import type { Label, Mail, MailboxContents } from './mail.ts';

/** A change of a message's labels. */
export interface LabelChange {
  add?: readonly string[];
  remove?: readonly string[];
}

/** One account's mailbox: messages (newest first), labels, and the history of changes since the start. */
export class Mailbox {
  readonly email: string;
  readonly history: HistoryLog;
  readonly #labels: Label[];
  readonly #newestFirst: Mail[];
  readonly #byId = new Map<string, Mail>();
  #threads: Map<string, Mail[]> | undefined;

  /** `historyBase` is the history id before the first message; messages get increasing ids, oldest first. */
  constructor(email: string, contents: MailboxContents, historyBase: number) {
    this.email = email;
    this.#labels = [...systemLabels(), ...contents.labels];
    const count = contents.mails.length;
    const sorted = [...contents.mails].sort(newestFirst);
    this.#newestFirst = sorted.map((mail, index) => ({ ...mail, historyId: historyBase + count - index }));
    for (const mail of this.#newestFirst) this.#byId.set(mail.id, mail);
    this.history = new HistoryLog(historyBase + count);
  }

  /** All messages, newest first. */
  get mails(): readonly Mail[] {
    return this.#newestFirst;
  }

  get labels(): readonly Label[] {
    return this.#labels;
  }

  mail(id: string): Mail | undefined {
    return this.#byId.get(id);
  }

  /** The messages of each thread, oldest first, by thread id. */
  get threads(): ReadonlyMap<string, readonly Mail[]> {
    if (!this.#threads) {
      this.#threads = new Map();
      for (const mail of this.#newestFirst) {
        const thread = this.#threads.get(mail.threadId);
        if (thread) thread.unshift(mail);
        else this.#threads.set(mail.threadId, [mail]);
      }
    }
    return this.#threads;
  }

  /** Adds a message as if it had just arrived. */
  insert(mail: Omit<Mail, 'historyId'>): Mail {
    const entry = { ...mail, historyId: this.history.next() };
    this.#byId.set(entry.id, entry);
    const at = this.#newestFirst.findIndex((other) => newestFirst(entry, other) < 0);
    this.#newestFirst.splice(at < 0 ? this.#newestFirst.length : at, 0, entry);
    this.history.add(entry.historyId, { kind: 'messageAdded', mail: entry });
    this.#threads = undefined;
    return entry;
  }

  /** Deletes a message permanently. Returns false if it does not exist. */
  remove(id: string): boolean {
    const mail = this.#byId.get(id);
    if (!mail) return false;
    this.#byId.delete(id);
    this.#newestFirst.splice(this.#newestFirst.indexOf(mail), 1);
    this.history.add(this.history.next(), { kind: 'messageDeleted', mail });
    this.#threads = undefined;
    return true;
  }

  /** Changes a message's labels. Returns false if it does not exist or nothing changes. */
  changeLabels(id: string, change: LabelChange): boolean {
    const mail = this.#byId.get(id);
    if (!mail) return false;
    const added = (change.add ?? []).filter((label) => !mail.labelIds.includes(label));
    const removed = (change.remove ?? []).filter((label) => mail.labelIds.includes(label));
    mail.labelIds = [...mail.labelIds.filter((label) => !removed.includes(label)), ...added];
    if (added.length > 0) this.#touch(mail, 'labelsAdded', added);
    if (removed.length > 0) this.#touch(mail, 'labelsRemoved', removed);
    return added.length + removed.length > 0;
  }

  createLabel(name: string): Label {
    const numbers = this.#labels.map((label) => Number(/^Label_(\d+)$/.exec(label.id)?.[1] ?? 0));
    const label = userLabel(Math.max(0, ...numbers) + 1, name);
    this.#labels.push(label);
    return label;
  }

  renameLabel(id: string, name: string): boolean {
    const label = this.#labels.find((each) => each.id === id && each.type === 'user');
    if (label) label.name = name;
    return label !== undefined;
  }

  /** Deletes a user label and removes it from every message. */
  deleteLabel(id: string): boolean {
    const at = this.#labels.findIndex((each) => each.id === id && each.type === 'user');
    if (at < 0) return false;
    for (const mail of [...this.#newestFirst]) this.changeLabels(mail.id, { remove: [id] });
    this.#labels.splice(at, 1);
    return true;
  }

  #touch(mail: Mail, kind: 'labelsAdded' | 'labelsRemoved', labelIds: readonly string[]): void {
    mail.historyId = this.history.next();
    this.history.add(mail.historyId, { kind, mail, labelIds });
  }
}

function newestFirst(one: Omit<Mail, 'historyId'>, other: Omit<Mail, 'historyId'>): number {
  return other.internalDate - one.internalDate || (one.id < other.id ? 1 : -1);
}
