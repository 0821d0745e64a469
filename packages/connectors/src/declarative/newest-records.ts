import { type ConnectorRecord, ProviderError } from '../sdk/index.ts';

/** Most records that are sorted in memory. */
export const MAX_SORTED = 100_000;
/** Most bytes of these records. */
const MAX_SORTED_BYTES = 256 * 1024 * 1024;
/** Records beyond the limit that are kept until the next cut. */
const SLACK = 500;

/** Compares two records: below 0 if the first one is listed first, being newer. */
export function compareNewest(a: { time: number; id: string }, b: { time: number; id: string }): number {
  if (a.time !== b.time) return b.time - a.time;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** Keeps the newest of many records that come in any order. */
export class NewestRecords {
  readonly #limit: number;
  readonly #records = new Map<string, ConnectorRecord & { data: Buffer }>();
  #bytes = 0;
  /** Whether records were left out. */
  isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds records. @throws ProviderError `invalid` if they are too many to be sorted */
  add(records: readonly (ConnectorRecord & { data: Buffer })[]): void {
    for (const record of records) {
      // The bytes of a page are one buffer, which would stay as long as one of its records does.
      this.#bytes += record.data.length - (this.#records.get(record.id)?.data.length ?? 0);
      this.#records.set(record.id, { ...record, data: Buffer.from(record.data) });
    }
    const most = Math.min(2 * this.#limit + SLACK, MAX_SORTED);
    if (this.#records.size > most || this.#bytes > MAX_SORTED_BYTES) this.#cut();
    if (this.#bytes > MAX_SORTED_BYTES || this.#records.size > MAX_SORTED)
      throw new ProviderError(
        'invalid',
        `These are more than ${MAX_SORTED.toLocaleString('en')} records, or 256 MB, in no order. Choose fewer in the settings.`,
      );
  }

  /** Returns the newest ones, up to the limit, newest first. */
  sorted(): ConnectorRecord[] {
    this.#cut();
    return [...this.#records.values()];
  }

  #cut(): void {
    const all = [...this.#records.values()].sort((a, b) =>
      compareNewest({ time: a.occurredAt.getTime(), id: a.id }, { time: b.occurredAt.getTime(), id: b.id }),
    );
    this.isCut ||= all.length > this.#limit;
    this.#records.clear();
    this.#bytes = 0;
    for (const record of all.slice(0, this.#limit)) {
      this.#records.set(record.id, record);
      this.#bytes += record.data.length;
    }
  }
}
