import type { Mail } from './mail.ts';

/** A change of a mailbox. */
export type MailChange =
  | { kind: 'messageAdded' | 'messageDeleted'; mail: Mail }
  | { kind: 'labelsAdded' | 'labelsRemoved'; mail: Mail; labelIds: readonly string[] };

/** A change with its history id and the labels that the message had then. */
export interface HistoryEntry {
  id: number;
  change: MailChange;
  labelIds: readonly string[];
}

/** The changes of a mailbox since the sandbox started, under ids that only grow. */
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

  /** The next id; ids skip a little, as Gmail's do. */
  next(): number {
    this.#current += 1 + (this.#current % 3);
    return this.#current;
  }

  add(id: number, change: MailChange): void {
    this.#entries.push({ id, change, labelIds: [...change.mail.labelIds] });
  }

  /** The changes after `startId`, or undefined when that id is out of range. */
  since(startId: number): readonly HistoryEntry[] | undefined {
    if (startId < this.#oldest || startId > this.#current) return undefined;
    return this.#entries.filter((entry) => entry.id > startId);
  }

  /** Forgets every change so far: older start ids are out of range from now on. */
  expire(): void {
    this.#entries.length = 0;
    this.#oldest = this.next();
  }
}
