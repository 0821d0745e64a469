import { type Estimate, type EstimateRequest, type ProviderClient, ProviderError } from '../sdk/index.ts';
import { type Cursor, countChanges } from './mail-changes.ts';
import { fetchLabelTotals, LABEL_UNITS } from './mail-labels.ts';
import { fetchListPage, LIST_SIZE, LIST_UNITS } from './mail-list-page.ts';

const UNITS = { get: 20, list: LIST_UNITS, history: 2, label: LABEL_UNITS, profile: 1 } as const;

/** Estimates the size and cost of a run over messages; with several labels, which may overlap, the upper bound. */
export async function estimateMessages(
  { client, limit }: EstimateRequest,
  labelIds: string[],
  since: Cursor | null,
): Promise<Estimate> {
  const totals = await fetchLabelTotals(client, labelIds);
  const most = totals.reduce<number>((sum, total) => sum + (total ?? 0), 0);
  const total = labelIds.length === 1 ? (totals[0] ?? null) : null;
  const changed = since === null ? undefined : await countChanges(client, since);
  if (changed !== undefined) {
    const units = changed * UNITS.get + UNITS.history + UNITS.label;
    return { total, records: changed, requests: changed + 2, units };
  }
  const records = Math.min(most, limit);
  const lists = labelIds.length * Math.max(1, Math.ceil(records / LIST_SIZE));
  return {
    total,
    records,
    requests: records + lists + 2,
    units: records * UNITS.get + lists * UNITS.list + UNITS.label + UNITS.profile,
  };
}

/** Yields the ids of messages with any of the labels, one label after another, each newest first. */
export async function* listMessageIds(client: ProviderClient, labelIds: string[]): AsyncGenerator<string[]> {
  for (const label of labelIds) {
    const tokens = new Set<string>();
    for (let pageToken: string | undefined; ; ) {
      const page = await fetchListPage(client, label, pageToken);
      yield page.messages.map(({ id }) => id);
      pageToken = page.nextPageToken;
      if (pageToken === undefined) break;
      if (tokens.has(pageToken))
        throw new ProviderError(
          'malformed',
          'Gmail’s list of messages repeats its pages endlessly. Try again later.',
        );
      tokens.add(pageToken);
    }
  }
}
