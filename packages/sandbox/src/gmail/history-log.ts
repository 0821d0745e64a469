import type { Mail } from './mail.ts';

/** A change of a mailbox. */
export type MailChange =
  | { kind: 'messageAdded' | 'messageDeleted'; mail: Mail }
  | { kind: 'labelsAdded' | 'labelsRemoved'; mail: Mail; labelIds: readonly string[] };

/** A change with its history id and the message's labels at that time. */
export interface HistoryEntry {
  id: number;
  change: MailChange;
  labelIds: readonly string[];
}

/** The changes of a mailbox since the sandbox started, with increasing ids. */
export class HistoryLog {
  readonly #entries: HistoryEntry[] = [];
  #oldest: number;
  #current: number;

  constructor(start: number) {
    this.#oldest = start;
    this.#current = start;
  }

  /** The id of the latest change. */
  get current(): number {
    return this.#current;
  }

  /** Returns the next id; ids have small gaps, like Gmail's. */
  next(): number {
    this.#current += 1 + (this.#current % 3);
    return this.#current;
  }

  add(id: number, change: MailChange): void {
    this.#entries.push({ id, change, labelIds: [...change.mail.labelIds] });
  }

  /** Returns the changes after `startId`; undefined if that id is out of range. */
  since(startId: number): readonly HistoryEntry[] | undefined {
    if (startId < this.#oldest || startId > this.#current) return undefined;
    return this.#entries.filter((entry) => entry.id > startId);
  }

  /** Clears all changes: older start ids are out of range afterwards. */
  expire(): void {
    this.#entries.length = 0;
    this.#oldest = this.next();
  }
}
