import type { SearchResults } from '@datadeck/contract';
import { expect } from 'vitest';
import type { AccountModel, ProviderModel } from './account-model.ts';
import type { Client } from './test-server.ts';

const AGGREGATION = '/api/integrations/entities/aggregation';
/** Queries per minute; the server refuses more than 300 of one user. */
const MAX_QUERIES = 250;

interface Row {
  id: string;
  account: string;
  accounts?: string[];
}

/** What the product shows of a provider's accounts, compared with a model. */
export class ShownRows {
  readonly #client: Client;
  /** When the queries of the last minute were run, in milliseconds. */
  #queriedAt: number[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  /** Compares what is shown of all accounts, and of the last one alone. */
  async compare(model: ProviderModel): Promise<void> {
    await this.#compareRows(model, model.shown, '');
    const [one] = model.shown.slice(-1);
    if (one) await this.#compareRows(model, [one], one.account);
  }

  /** Reads all pages of a template. The count of each page must be that of all rows. */
  async #rowsOf(template: string, query: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = 1; ; page++) {
      const path = `${AGGREGATION}/${template}?page=${page}${query}`;
      const { results, count } = await this.#client.get<{ results: Row[]; count: number }>(path);
      rows.push(...results);
      if (results.length === 0 || rows.length >= count) {
        expect(rows.length, 'count').toBe(count);
        return rows;
      }
    }
  }

  /** Takes one of the queries of this minute. @returns false when there is none left */
  #mayQuery(): boolean {
    const now = Date.now();
    this.#queriedAt = this.#queriedAt.filter((at) => at > now - 60_000);
    if (this.#queriedAt.length >= MAX_QUERIES) return false;
    this.#queriedAt.push(now);
    return true;
  }

  /** Compares what the template, the query and the search show. @param only the name of one account; empty for all */
  async #compareRows(model: ProviderModel, accounts: readonly AccountModel[], only: string): Promise<void> {
    const { provider, entity, template } = model.world;
    const expected = model.rowsOf(accounts);
    const query = only === '' ? '' : `&account=${encodeURIComponent(only)}`;
    const rows = await this.#rowsOf(`${entity}/${template}`, query);
    const shown = new Map(rows.map((row) => [`${row.accounts ? '' : row.account}/${row.id}`, row]));
    expect(shown.size).toBe(rows.length);
    expect([...shown.keys()].sort()).toEqual(
      expected.map(({ id, account, accounts: all }) => `${all ? '' : account[0]}/${id}`).sort(),
    );
    for (const { id, account, accounts: all } of expected) {
      const row = shown.get(`${all ? '' : account[0]}/${id}`);
      expect(account).toContain(row?.account);
      if (all) expect(row?.accounts).toEqual(all);
    }
    if (this.#mayQuery()) {
      const counted = await this.#client.post<{ results: number[] }>('/api/data/query', {
        entryCollection: entity,
        templateKey: template,
        jsonNataQuery: '$count($)',
        ...(only === '' ? {} : { account: only }),
      });
      expect(counted.results, '$count($)').toEqual([expected.length]);
    }
    const found = await this.#client.get<SearchResults>(`/api/data/search?providerId=${provider}${query}`);
    expect(found.count, 'search').toBe(expected.length);
  }
}
