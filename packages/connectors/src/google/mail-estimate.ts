import { type Estimate, type EstimateRequest, ProviderError, sinceTime } from '../sdk/index.ts';
import { type Cursor, countChanges } from './mail-changes.ts';
import { fetchLabelTotals, LABEL_UNITS } from './mail-labels.ts';
import { fetchListPage, LIST_SIZE, LIST_UNITS } from './mail-list-page.ts';

const UNITS = { get: 20, list: LIST_UNITS, history: 2, label: LABEL_UNITS, profile: 1 } as const;

/** Labels whose messages since a date are counted. */
const MAX_LISTED_LABELS = 5;

/** Returns the number of messages of each label; those since a date as far as one page shows them, else the upper bound. */
async function fetchTotals(request: EstimateRequest, labelIds: string[]): Promise<(number | undefined)[]> {
  const since = sinceTime(request);
  const totals = await fetchLabelTotals(request.client, labelIds);
  if (since === undefined) return totals;
  for (const [index, label] of labelIds.slice(0, MAX_LISTED_LABELS).entries()) {
    const page = await fetchListPage(request.client, { label, since }, undefined);
    if (page.nextPageToken === undefined) totals[index] = page.messages.length;
  }
  return totals;
}

/** Estimates the size and cost of a run over messages; with several labels, which may overlap, the upper bound. */
export async function estimateMessages(
  request: EstimateRequest,
  labelIds: string[],
  cursor: Cursor | null,
): Promise<Estimate> {
  const { client, limit } = request;
  const totals = await fetchTotals(request, labelIds);
  const most = totals.reduce<number>((sum, total) => sum + (total ?? 0), 0);
  const isExact = labelIds.length === 1 && (request.since === undefined || most < LIST_SIZE);
  const total = isExact ? (totals[0] ?? null) : null;
  const changed = cursor === null ? undefined : await countChanges(client, cursor);
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
export async function* listMessageIds(
  request: Pick<EstimateRequest, 'client' | 'since'>,
  labelIds: string[],
): AsyncGenerator<string[]> {
  const since = sinceTime(request);
  for (const label of labelIds) {
    const tokens = new Set<string>();
    for (let pageToken: string | undefined; ; ) {
      const page = await fetchListPage(request.client, { label, since }, pageToken);
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
