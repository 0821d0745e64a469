import { type Estimate, type EstimateRequest, parseSaved, sinceTime } from '../../sdk/index.ts';
import { fetchCount } from './count.ts';
import { fetchPage, LATEST_UPDATES, type ListPlace, type ListSource, PAGE_SIZE } from './pages.ts';
import { type Cursor, cursorSchema } from './watermark.ts';
import { fetchWindow } from './window.ts';

/** A signal that never aborts; the client's own signal ends the requests. */
const NEVER = new AbortController().signal;
/** Pages that are read to count the items updated since a date. */
const MAX_WINDOW_PAGES = 4;

/** Estimates a run that wants what was updated since a date; what is on more than four pages are not counted. */
async function estimateWindow(
  source: ListSource,
  since: number,
  { total, limit }: { total: number; limit: number },
): Promise<Estimate> {
  const window = await fetchWindow(source, since, MAX_WINDOW_PAGES);
  if (!window) {
    const requests = Math.ceil(total / PAGE_SIZE) + 2;
    return { total: null, records: Math.min(total, limit), requests, units: requests };
  }
  const requests = window.pages + 1;
  const own = [...window.records.values()].filter(({ isOther }) => !isOther).length;
  return { total: own, records: Math.min(own, limit), requests, units: requests };
}

/** Estimates an incremental run by the first page of updates: more than one page of changes is underestimated. */
async function estimateChanges(
  source: ListSource,
  { updatedUntil }: Cursor,
  since: number | undefined,
): Promise<number> {
  const { records } = await fetchPage(source, LATEST_UPDATES);
  const from = Math.max(Date.parse(updatedUntil), (since ?? 0) - 1);
  return records.filter(({ updatedAt, isOther }) => !isOther && updatedAt > from).length;
}

/** Estimates the size and cost of a run. */
export async function estimateList(request: EstimateRequest, place: ListPlace): Promise<Estimate> {
  const { cursor, limit } = request;
  const source = { ...place, request, signal: NEVER };
  const since = sinceTime(request);
  const count = await fetchCount(source);
  const saved = parseSaved(cursorSchema, cursor);
  // Such a list is counted only by reading it, so the limit is all that is known.
  if (!count) {
    if (saved && place.list.followsCursors)
      return { total: null, records: await estimateChanges(source, saved, since), requests: 1, units: 1 };
    const most = Math.ceil(limit / PAGE_SIZE);
    return { total: null, records: limit, requests: most + 1, units: most + 1 };
  }
  const { total, pageSize } = count;
  const counted = place.list.countOwn ? await place.list.countOwn(source) : undefined;
  const ownTotal = place.list.hasOthers ? (counted ?? null) : total;
  if (!saved || (saved.total ?? 0) > total) {
    if (since !== undefined) return estimateWindow(source, since, { total, limit });
    const records = Math.min(ownTotal ?? total, limit);
    // Pages have other items, too.
    const items = ownTotal ? (records * total) / ownTotal : records;
    const requests = Math.ceil(items / pageSize) + 1;
    return { total: ownTotal, records, requests, units: requests };
  }
  const records = await estimateChanges(source, saved, since);
  return { total: since === undefined ? ownTotal : null, records, requests: 2, units: 2 };
}
