import type { ConnectorRecord, ReadRequest } from './connector.ts';
import { ProviderError } from './provider-error.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Returns the start of the day (UTC) since which records are wanted, ms since 1970; undefined without one.
 * @throws ProviderError `invalid` for a text that is no date
 */
export function sinceTime({ since }: Pick<ReadRequest, 'since'>): number | undefined {
  if (since === undefined) return undefined;
  const time = DAY.test(since) ? Date.parse(`${since}T00:00:00Z`) : Number.NaN;
  // Date.parse accepts 30 February as a day in March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(since))
    throw new ProviderError('invalid', 'The date since which records are wanted is no date.', {
      field: 'since',
    });
  return time;
}

/** Chooses the records of an incremental run with `since`: later ones, and older ones that are stored already. */
export class WantedRecords {
  readonly #stored: ReadRequest['stored'];
  readonly #since: number | undefined;
  #ids: Promise<Set<string>> | undefined;

  constructor(request: Pick<ReadRequest, 'since' | 'stored'>) {
    this.#stored = request.stored;
    this.#since = sinceTime(request);
  }

  /** Returns the wanted ones. @param timeOf returns when a record arrived or was updated, ms since 1970 */
  async choose<Item extends Pick<ConnectorRecord, 'id'>>(
    items: readonly Item[],
    timeOf: (item: Item) => number,
  ): Promise<Item[]> {
    const since = this.#since;
    if (since === undefined || items.every((item) => timeOf(item) >= since)) return [...items];
    this.#ids ??= this.#readIds();
    const stored = await this.#ids;
    return items.filter((item) => timeOf(item) >= since || stored.has(item.id));
  }

  async #readIds(): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const records of this.#stored([])) for (const { id } of records) ids.add(id);
    return ids;
  }
}
