import { type Estimate, type EstimateRequest, parseSaved, sinceTime } from '../sdk/index.ts';
import { fetchCount } from './pull-count.ts';
import { fetchPage, LATEST_UPDATES, PAGE_SIZE, type PullSource } from './pull-pages.ts';
import { fetchWindow } from './pull-window.ts';
import type { Repository } from './repository-names.ts';
import { cursorSchema } from './watermark.ts';

/** A signal that never aborts; the client's own signal ends the requests. */
const NEVER = new AbortController().signal;
/** Pages that are read to count the pull requests updated since a date. */
const MAX_WINDOW_PAGES = 4;

/** Estimates a run that wants the pull requests updated since a date; those on more than four pages are not counted. */
async function estimateWindow(
  source: PullSource,
  since: number,
  { total, limit }: { total: number; limit: number },
): Promise<Estimate> {
  const window = await fetchWindow(source, since, MAX_WINDOW_PAGES);
  if (!window) {
    const requests = Math.ceil(total / PAGE_SIZE) + 2;
    return { total: null, records: Math.min(total, limit), requests, units: requests };
  }
  const requests = window.pages + 1;
  const records = Math.min(window.records.size, limit);
  return { total: window.records.size, records, requests, units: requests };
}

/**
 * Estimates the size and cost of a run. Counts the changes since a cursor on the first page only: more than one page of
 * changes is underestimated.
 */
export async function estimatePulls(request: EstimateRequest, repository: Repository): Promise<Estimate> {
  const { cursor, limit } = request;
  const source = { request, repository, signal: NEVER };
  const since = sinceTime(request);
  const count = await fetchCount(source);
  // Such a list is counted only by reading it, so the limit is all that is known.
  if (!count) {
    const most = Math.ceil(limit / PAGE_SIZE);
    return { total: null, records: limit, requests: most + 1, units: most + 1 };
  }
  const { total, pageSize } = count;
  const saved = parseSaved(cursorSchema, cursor);
  if (!saved || (saved.total ?? 0) > total) {
    if (since !== undefined) return estimateWindow(source, since, { total, limit });
    const records = Math.min(total, limit);
    const requests = Math.ceil(records / pageSize) + 1;
    return { total, records, requests, units: requests };
  }
  const { records } = await fetchPage(source, LATEST_UPDATES);
  const from = Math.max(Date.parse(saved.updatedUntil), (since ?? 0) - 1);
  const changed = records.filter(({ updatedAt }) => updatedAt > from).length;
  return { total: since === undefined ? total : null, records: changed, requests: 2, units: 2 };
}
