import type { DocumentEntity } from '@datadeck/contract/connector-document';
import {
  type Completion,
  type ConnectorRecord,
  type Estimate,
  type EstimateRequest,
  type Page,
  ProviderError,
  parseSaved,
  type ReadRequest,
  sinceTime,
  WantedRecords,
} from '../sdk/index.ts';
import type { Variables } from './document-task.ts';
import { formOf } from './entity-form.ts';
import { type Gap, gapAfter } from './gap.ts';
import { GrowingColumn } from './growing-column.ts';
import { compareNewest, MAX_SORTED, NewestRecords } from './newest-records.ts';
import type { PageSource, SourcePage } from './page-source.ts';
import { afterOf, NextParentCursor, type ParentCursor } from './parent-cursors.ts';
import {
  cursorSchema,
  EMPTY_PROGRESS,
  type ListPosition,
  largestOf,
  listPositionSchema,
  MAX_PAGE_SIZE,
  type Progress,
  partsOf,
  sortedPositionSchema,
} from './reader-progress.ts';

/** Smallest share of all lists from which an estimate is made. */
const MIN_SHARE = 0.001;
/** Requests of an estimate. */
const MAX_ESTIMATE_REQUESTS = 6;

/** The parts of a request that say what to read. */
type Wanted = Pick<ReadRequest, 'client' | 'settings' | 'since'> & {
  after: number | null;
  /** The largest values of each parent; without them `after` counts for all. */
  parents?: ParentCursor | undefined;
  /** Chooses among changed records by `since`; absent in full runs. */
  known?: WantedRecords;
};

/** Reads the records of one entity of a document. */
export class EntityReader {
  readonly #entity: DocumentEntity;
  readonly #form: string;
  readonly #growth: GrowingColumn;
  readonly #source: PageSource;

  constructor(entity: DocumentEntity, source: PageSource) {
    this.#entity = entity;
    this.#form = formOf(entity);
    this.#growth = new GrowingColumn(entity);
    this.#source = source;
  }

  /** Implements `EntityDefinition.read`. */
  async *read(request: ReadRequest): AsyncGenerator<Page, Completion> {
    const cursor = parseSaved(cursorSchema, request.cursor);
    const after = cursor?.after ?? null;
    this.#requireForm(cursor);
    const { parents } = cursor ?? {};
    const run = { ...request, after, parents, known: new WantedRecords(request) };
    return yield* this.#isListed(after) ? this.#readList(run) : this.#readSorted(run);
  }

  /** Returns whether records are stored as they arrive, so that a run ends at its limit; others are sorted first. */
  #isListed(after: number | null): boolean {
    const { sortedBy } = this.#entity;
    return this.#isOneList && (sortedBy !== undefined || after !== null);
  }

  /** Implements `EntityDefinition.listIds`. */
  async *listIds(request: Pick<EstimateRequest, 'client' | 'settings' | 'since'>): AsyncGenerator<string[]> {
    const wanted = { ...request, after: null };
    for await (const page of this.#pages(wanted)) {
      const records = await this.#choose(wanted, page);
      yield records.map(({ id }) => id);
    }
  }

  /** Implements `EntityDefinition.estimate`. */
  async estimate(request: EstimateRequest): Promise<Estimate> {
    const cursor = parseSaved(cursorSchema, request.cursor);
    const after = cursor?.form === this.#form ? cursor.after : null;
    const parents = after === null ? undefined : cursor?.parents;
    const wanted = { ...request, after, parents, known: new WantedRecords(request) };
    const { client, limit, since } = request;
    const isListed = this.#isListed(after);
    const hasTotal = since === undefined && after === null && this.#isOneList;
    const before = client.requests;
    let [records, size, share] = [0, 1, 1];
    let total: number | null = null;
    for await (const page of this.#pages(wanted)) {
      records += (await this.#choose(wanted, page)).length;
      size = Math.max(size, page.records.length);
      share = page.share;
      total = hasTotal ? page.total : null;
      const isEnough = total !== null || (isListed && records > limit);
      if (isEnough || client.requests - before >= MAX_ESTIMATE_REQUESTS) break;
      share = 1;
    }
    const sent = client.requests - before;
    const all = total ?? Math.round(records / Math.max(share, MIN_SHARE));
    const kept = Math.min(all, limit);
    const pages =
      total === null && !isListed ? sent / Math.max(share, MIN_SHARE) : (isListed ? kept : all) / size;
    const requests = Math.max(sent, Math.ceil(pages));
    const known = total ?? (share === 1 && after === null ? all : null);
    return { total: known, records: kept, requests, units: requests };
  }

  /** Reads one list as it arrives: newest first in a full run, in any order in an incremental one. */
  async *#readList(run: ReadRequest & Wanted): AsyncGenerator<Page, Completion> {
    const saved = parseSaved(listPositionSchema, run.checkpoint);
    this.#requireForm(saved);
    let position: ListPosition = saved ?? { ...this.#empty, request: null, skip: 0, total: null, gap: null };
    const variables = await this.#variables(run);
    if (saved?.request === null) return yield* this.#readMoved(run, saved, { variables, limit: run.limit });
    let left = run.limit;
    let { total } = position;
    for await (const page of this.#source.pagesOfList(
      run.client,
      this.#entity,
      variables,
      saved?.request ?? undefined,
    )) {
      const isResumed = page.request === saved?.request;
      const skip = isResumed ? saved.skip : 0;
      const chosen = (await this.#choose(run, page)).slice(skip);
      const kept = run.after === null ? chosen.slice(0, Math.max(0, left)) : chosen;
      left -= kept.length;
      const isCut = kept.length < chosen.length;
      const gap = gapAfter(position.gap, page.gap);
      const isLast = page.next === null || this.#endsBefore(run, page);
      // An empty page at the end may name none, or 0.
      if (run.after === null && run.since === undefined && page.total !== null)
        total = Math.max(total ?? 0, page.total);
      let done = 0;
      for (const records of partsOf(kept)) {
        const skipped = done === 0 ? page.skipped : 0;
        done += records.length;
        const isWithin = isCut || done < kept.length;
        position = {
          ...this.#progressAfter(run, position, records, page),
          total,
          gap,
          ...(isWithin
            ? { request: page.request, skip: skip + done }
            : { request: isLast ? null : page.next, skip: 0 }),
        };
        this.#checkLimit(run, position);
        if (records.length > 0 || skipped > 0)
          yield { records, checkpoint: position, skipped, ...(total !== null && { total }) };
      }
      if (isCut) return this.#completion(run, position, true);
      if (isLast) break;
    }
    position = { ...position, total, request: null, skip: 0 };
    if (run.after === null && total === null)
      yield { records: [], checkpoint: position, ...(position.gap === null && { total: position.count }) };
    return yield* this.#readMoved(run, position, { variables, limit: left });
  }

  /**
   * Ends a list. If a change moves records to its start, a full run reads that again: what changed during the run moved from
   * pages that it had not read to pages that it had, and would count as deleted.
   */
  async *#readMoved(
    run: ReadRequest & Wanted,
    position: ListPosition,
    { variables, limit }: { variables: Variables; limit: number },
  ): AsyncGenerator<Page, Completion> {
    const { newestAtStart } = position;
    if (run.after !== null || newestAtStart === null) return this.#listCompletion(run, position, position);
    let left = limit;
    let latest = position;
    const isMoved = (record: ConnectorRecord) => (this.#sortTimeOf(record) ?? newestAtStart) > newestAtStart;
    for await (const page of this.#source.pagesOfList(run.client, this.#entity, variables)) {
      const moved = page.records.filter(isMoved);
      const records = (await this.#choose(run, { records: moved })).slice(0, Math.max(0, left));
      left -= records.length;
      latest = {
        ...latest,
        ...this.#progressAfter(run, latest, records, page),
        gap: gapAfter(latest.gap, page.gap),
      };
      if (records.length > 0) yield { records, checkpoint: latest };
      if (moved.length < page.records.length || left <= 0) break;
    }
    return this.#listCompletion(run, position, latest);
  }

  /** Returns the completion of a list that was read to its end. What a provider counts but did not list stays stored. */
  #listCompletion(run: Wanted, { count, total }: ListPosition, latest: ListPosition): Completion {
    const completion = this.#completion(run, latest, false);
    return total !== null && count < total ? { ...completion, isListPartial: true } : completion;
  }

  /** Reads all lists, and yields the newest records first. */
  async *#readSorted(run: ReadRequest & Wanted): AsyncGenerator<Page, Completion> {
    const saved = parseSaved(sortedPositionSchema, run.checkpoint);
    this.#requireForm(saved);
    const newest = new NewestRecords(run.after === null ? (saved?.count ?? 0) + run.limit : MAX_SORTED);
    let progress = this.#empty;
    let gap: Gap | null = null;
    const parents = new NextParentCursor(run.parents, run.after);
    for await (const page of this.#pages(run)) {
      const records = await this.#choose(run, page);
      newest.add(records);
      progress = this.#progressAfter(run, progress, records, page);
      gap = gapAfter(gap, page.gap);
      parents.add(page.parent, this.#growth.allOf(records), page.gap);
      this.#checkLimit(run, progress);
    }
    const { startedAt, largest, newestAtStart } = saved ?? progress;
    const sorted = newest.sorted();
    const isAfter = ({ occurredAt, id }: ConnectorRecord) =>
      saved === null || compareNewest({ time: occurredAt.getTime(), id }, saved) > 0;
    const rest = sorted.filter(isAfter);
    let count = saved?.count ?? 0;
    const hasAll = run.after === null && !newest.isCut && gap === null;
    for (let from = 0; from < rest.length; from += MAX_PAGE_SIZE) {
      const records = rest.slice(from, from + MAX_PAGE_SIZE);
      count += records.length;
      const last = records.at(-1) as ConnectorRecord;
      const checkpoint = {
        startedAt,
        largest,
        newestAtStart,
        count,
        form: this.#form,
        time: last.occurredAt.getTime(),
        id: last.id,
      };
      yield { records, checkpoint, ...(hasAll && { total: sorted.length }) };
    }
    return this.#completion(run, { startedAt, largest, gap, parents }, run.after === null && newest.isCut);
  }

  get #empty(): Progress {
    return { ...EMPTY_PROGRESS, form: this.#form };
  }

  /** @throws ProviderError `cursor-expired` for a position in what another version of the document read */
  #requireForm(saved: { form: string } | null | undefined): void {
    if (saved && saved.form !== this.#form)
      throw new ProviderError('cursor-expired', 'The connector reads these records in another way now.');
  }

  async *#pages(wanted: Omit<Wanted, 'known'>): AsyncGenerator<SourcePage> {
    const variables = await this.#variables(wanted);
    const cursorOf = (parent: string) => this.#growth.cursor(this.#afterOf(wanted, parent), wanted.since);
    for await (const page of this.#source.allPages(wanted.client, this.#entity, variables, cursorOf)) {
      yield page;
      if (this.#isOneList && this.#endsBefore(wanted, page)) return;
    }
  }

  async #variables({
    client,
    settings,
    after,
    since,
  }: Pick<Wanted, 'client' | 'settings' | 'since' | 'after'>): Promise<Variables> {
    const cursor = this.#growth.cursor(after, since);
    const now = new Date().toISOString();
    return {
      config: await this.#source.configOf(client),
      settings,
      now,
      ...(cursor !== undefined && { cursor }),
    };
  }

  /** Returns the largest value of the growing column that runs have seen of a parent, or of all; null for none. */
  #afterOf({ after, parents }: Pick<Wanted, 'after' | 'parents'>, parent: string | undefined): number | null {
    if (after === null || parents === undefined || parent === undefined) return after;
    return afterOf(parents, parent) ?? null;
  }

  /** Whether the entity is requested once, not for each record of a parent or each of its parts. */
  get #isOneList(): boolean {
    return this.#entity.parent === undefined && this.#entity.parts === undefined;
  }

  /** Returns the time by which the provider sorts a record, ms since 1970; undefined without one. */
  #sortTimeOf({ columns }: ConnectorRecord): number | undefined {
    const { sortedBy } = this.#entity;
    const value = sortedBy === undefined ? null : columns[sortedBy];
    return value instanceof Date ? value.getTime() : undefined;
  }

  /** Returns the time that `since` compares, ms since 1970. */
  #timeOf(record: ConnectorRecord): number {
    const growth = this.#growth.isTime ? this.#growth.of(record) : undefined;
    return growth ?? record.occurredAt.getTime();
  }

  /** Returns the records of a page that the run wants: not those before its cursor, nor before `since` unless stored. */
  async #choose<Kind extends ConnectorRecord>(
    wanted: Pick<Wanted, 'after' | 'parents' | 'since' | 'known'>,
    { records, parent }: { records: readonly Kind[]; parent?: string | undefined },
  ): Promise<Kind[]> {
    const { after, since, known } = wanted;
    const from = this.#growth.from(this.#afterOf(wanted, parent), undefined);
    const changed =
      from === undefined ? records : records.filter((record) => (this.#growth.of(record) ?? from) >= from);
    if (after !== null && known) return known.choose(changed, (record) => this.#timeOf(record as Kind));
    const start = sinceTime({ since });
    return start === undefined ? [...changed] : changed.filter((record) => this.#timeOf(record) >= start);
  }

  /** Returns whether the pages after one are older than all that the run wants. */
  #endsBefore({ after, since }: Pick<Wanted, 'after' | 'since'>, { records }: SourcePage): boolean {
    const { sortedBy, incremental } = this.#entity;
    const last = records.at(-1);
    if (sortedBy === undefined || sortedBy !== incremental?.column || !last) return false;
    const from = this.#growth.from(after, since);
    const growth = this.#growth.of(last);
    return from !== undefined && growth !== undefined && growth < from;
  }

  #progressAfter(
    wanted: Pick<Wanted, 'after' | 'parents'>,
    { startedAt, largest, newestAtStart, count }: Progress,
    records: readonly ConnectorRecord[],
    { sentAt, records: all, parent }: SourcePage,
  ): Progress {
    const growths = this.#growth.allOf(records);
    const from = this.#afterOf(wanted, parent) ?? Number.NEGATIVE_INFINITY;
    const times = all.map((record) => this.#sortTimeOf(record)).filter((value) => value !== undefined);
    const brought = wanted.after === null ? records.length : growths.filter((value) => value > from).length;
    return {
      startedAt: startedAt ?? sentAt,
      largest: largestOf(growths, largest),
      newestAtStart: startedAt === null ? largestOf(times, null) : newestAtStart,
      count: count + brought,
      form: this.#form,
    };
  }

  /** @throws ProviderError `cursor-expired` if more changed than a run may bring */
  #checkLimit(
    { after, limit }: Pick<ReadRequest, 'limit'> & Pick<Wanted, 'after'>,
    { count }: Progress,
  ): void {
    if (after !== null && count > limit)
      throw new ProviderError('cursor-expired', 'More records changed than a sync may bring.');
  }

  /** Returns the completion. The cursor is not later than the run's start: the next one reads what changes until then. */
  #completion(
    { after }: Pick<Wanted, 'after'>,
    {
      startedAt,
      largest,
      gap,
      parents,
    }: Pick<Progress, 'startedAt' | 'largest'> & Pick<ListPosition, 'gap'> & { parents?: NextParentCursor },
    truncated: boolean,
  ): Completion {
    const isPartial = gap !== null || this.#entity.keepUnlisted === true;
    const extent = { truncated, ...(isPartial && { isListPartial: true as const }) };
    if (this.#entity.incremental === undefined) return { cursor: null, ...extent };
    const start = startedAt ?? Number.POSITIVE_INFINITY;
    const known =
      this.#entity.parent && parents?.next(this.#growth.isTime ? start : Number.POSITIVE_INFINITY);
    const common = { form: this.#form, ...(known && { parents: known }) };
    // What an incremental run did not see is read by the next one, and so is the rest of a list.
    if (gap === 'rest' || (gap !== null && after !== null))
      return { cursor: after === null ? null : { after, ...common }, ...extent };
    const seen = Math.max(largest ?? Number.NEGATIVE_INFINITY, after ?? Number.NEGATIVE_INFINITY);
    const next = this.#growth.isTime
      ? Math.min(seen === Number.NEGATIVE_INFINITY ? start : seen, start)
      : seen;
    const cursor = { after: Math.max(next, after ?? next), ...common };
    return { cursor: Number.isFinite(next) ? cursor : null, ...extent };
  }
}
