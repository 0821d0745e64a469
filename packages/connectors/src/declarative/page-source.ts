import { isDeepStrictEqual } from 'node:util';
import type { ConnectorDocument, DocumentEntity } from '@datadeck/contract/connector-document';
import {
  type ConnectorRecord,
  type FailedAnswer,
  type ProviderClient,
  ProviderError,
  type RefusedAnswer,
  receiveRecords,
  transferable,
} from '../sdk/index.ts';
import type { DocumentEvaluator } from './document-evaluator.ts';
import type { Variables } from './document-task.ts';
import { readableValues } from './form-values.ts';
import { type Gap, gapOf } from './gap.ts';
import { numberedPagination, numberOf } from './page-numbers.ts';
import { sentBodyOf, type WireRequest } from './wire-request.ts';

/** Most lists of an entity that are read in one run: one for each parent, and each part of it. */
const MAX_LISTS = 10_000;
/** Most pages of one list. */
const MAX_PAGES = 10_000;
/** Most pages in a row that have nothing new; more mean a list without end. */
const MAX_IDLE_PAGES = 100;
/** How often in a row a page repeats the one before it until the list counts as read: services repeat the last one at its end. */
const MAX_REPEATS = 2;
/** Longest header of an answer that expressions may read, characters. */
const MAX_HEADER_LENGTH = 8000;
/** Ids of the last records, which a list that moves yields again. */
const MAX_RECENT_IDS = 10_000;

/** Share of a list that is taken as read while the provider has more and does not say how many. */
const UNKNOWN_SHARE = 0.75;

/** Those that may refuse a page for any reason. */
const BAD_REQUEST = new Set([400, 422]);

/** The records of one answer. */
export interface SourcePage {
  /** Those of the answer without the last ids of this list, which a list that moves repeats. */
  records: (ConnectorRecord & { data: Buffer })[];
  /** Request of this page, and of the next one (null at the end). */
  request: WireRequest;
  next: WireRequest | null;
  total: number | null;
  skipped: number;
  /** Share of all lists that is read with this page, 0 to 1; a guess unless the provider counts. */
  share: number;
  gap?: Gap | undefined;
  /** Id of the record of the parent whose list it is. */
  parent?: string;
  /** The provider's time, ms since 1970; ours if it does not say. */
  sentAt: number;
}

/** A request of a page by its number, the page before it, and whether a run continues with it. */
interface NumberedRequest {
  request: WireRequest;
  before: Answered | undefined;
  isResumed: boolean;
}

/** A page, and the status of the failure that counts as one without records. */
type Answered = Omit<SourcePage, 'share' | 'gap'> & { emptyAt?: number | undefined };

/** Returns the names of the query parameters that prove the identity. */
function proofParametersOf(authentication: ConnectorDocument['authentication']): string[] {
  const { kind } = authentication;
  const own = kind === 'api-key' || kind === 'session-token' ? [authentication] : [];
  const others = kind === 'api-key' ? (authentication.others ?? []) : [];
  const keys = 'keys' in authentication ? (authentication.keys ?? []) : [];
  return [...own, ...others, ...keys].filter((key) => key.in === 'query').map(({ name }) => name);
}

function idsOf({ records }: Pick<SourcePage, 'records'>): string {
  return JSON.stringify(records.map(({ id }) => id));
}

/** The ids of the records that a list yielded last: at least `MAX_RECENT_IDS`, at most twice as many. */
class RecentIds {
  #older = new Set<string>();
  #newer = new Set<string>();

  /** Returns whether an id is new, and remembers it. */
  isNew(id: string): boolean {
    if (this.#newer.has(id) || this.#older.has(id)) return false;
    this.#newer.add(id);
    if (this.#newer.size >= MAX_RECENT_IDS) [this.#older, this.#newer] = [this.#newer, new Set()];
    return true;
  }
}

/** Returns the headers that expressions may read, by names in small letters. */
export function exposedHeaders(headers: Headers): Record<string, string> {
  const entries = [...headers].filter(
    ([name, value]) => name !== 'set-cookie' && value.length <= MAX_HEADER_LENGTH,
  );
  return Object.fromEntries(entries);
}

/** Returns a request with its address relative to that of an answer, as links are. @throws ProviderError `malformed` */
function atAnswer(next: WireRequest, answered: string): WireRequest {
  const url = URL.parse(next.path, answered);
  if (url) return { ...next, path: url.href };
  throw new ProviderError('malformed', 'The provider pointed to an address that cannot be read.');
}

/** Requests the pages of a document's entities. */
export class PageSource {
  readonly #document: ConnectorDocument;
  readonly #evaluator: DocumentEvaluator;
  /** Classifies an answer of status 200 that is a failure. */
  readonly #classify: (body: string, answer: Omit<RefusedAnswer, 'status' | 'body'>) => FailedAnswer;

  constructor(
    document: ConnectorDocument,
    evaluator: DocumentEvaluator,
    classify: (body: string, answer: Omit<RefusedAnswer, 'status' | 'body'>) => FailedAnswer,
  ) {
    this.#document = document;
    this.#evaluator = evaluator;
    this.#classify = classify;
  }

  /** Yields the pages of one list, from a request on. @throws ProviderError also for a list without end */
  async *pagesOfList(
    client: ProviderClient,
    entity: DocumentEntity,
    variables: Variables,
    from?: WireRequest,
  ): AsyncGenerator<SourcePage> {
    const recent = new RecentIds();
    const isNumbered = 'size' in entity.pagination;
    let [idle, seen, pages, repeats] = [0, 0, 0, 0];
    let before: Answered | undefined;
    /** Ids of the first page; those of a list that is resumed are not known yet. */
    let first: string | undefined;
    let request: WireRequest | null = from ?? (await this.#evaluator.firstRequest(entity.id, variables));
    while (request !== null) {
      const page: Answered | null = isNumbered
        ? await this.#numberedPage(client, entity, variables, {
            request,
            before,
            isResumed: from === request,
          })
        : await this.#page(client, entity, variables, request);
      if (page === null) return;
      const gap = gapOf(page.emptyAt, {
        isFirst: from === undefined && before === undefined,
        mayEnd: (status) => isNumbered && (!BAD_REQUEST.has(status) || this.#isShort(entity, before)),
      });
      if (from === undefined) first ??= idsOf(page);
      const isRepeated = isNumbered && page.records.length > 0 && before && idsOf(page) === idsOf(before);
      repeats = isRepeated ? repeats + 1 : 0;
      if (repeats >= MAX_REPEATS) {
        first ??= await this.#firstIds(client, entity, variables);
        const isWhole = page.total !== null && page.total <= page.records.length;
        if (idsOf(page) === first && !isWhole) throw this.#unnumbered(entity);
        return;
      }
      before = page;
      const records = page.records.filter(({ id }) => recent.isNew(id));
      idle = records.length === 0 ? idle + 1 : 0;
      if (idle > MAX_IDLE_PAGES || (page.next !== null && ++pages > MAX_PAGES)) throw this.#endless();
      seen += page.records.length;
      const isKnown = page.total !== null && page.total > 0;
      const share = page.next === null ? 1 : isKnown ? Math.min(1, seen / Number(page.total)) : UNKNOWN_SHARE;
      const { emptyAt: _, ...known } = page;
      yield { ...known, records, share, ...(gap && { gap }) };
      request = page.next;
    }
  }

  /** Whether a page has fewer records than a page by its number has. */
  #isShort(entity: DocumentEntity, page: Answered | undefined): boolean {
    const { size = 0 } = numberedPagination(entity.pagination) ?? {};
    return page !== undefined && page.records.length + page.skipped < size;
  }

  async #firstIds(client: ProviderClient, entity: DocumentEntity, variables: Variables): Promise<string> {
    const request = await this.#evaluator.firstRequest(entity.id, variables);
    return idsOf(await this.#page(client, entity, variables, request));
  }

  /**
   * Yields the pages of all lists of an entity: of one list, or of one for each record of its parent and each of its parts.
   * @param cursorOf returns the cursor of the list of a parent, by the id of its record. Default: that of `variables`
   * @throws ProviderError
   */
  async *allPages(
    client: ProviderClient,
    entity: DocumentEntity,
    variables: Variables,
    cursorOf?: (parent: string) => Variables['cursor'],
  ): AsyncGenerator<SourcePage> {
    if (entity.parent === undefined) {
      yield* this.#pagesOfParts(client, entity, variables);
      return;
    }
    const { cursor: ofAll, ...ofParents } = variables;
    let [parents, lists, gone, pages, before] = [0, 0, 0, 0, 0];
    let refusal: ProviderError | undefined;
    for await (const page of this.allPages(client, this.#entity(entity.parent), ofParents)) {
      const { records, share } = page;
      // Which parents are missing is not known.
      if (page.gap) {
        const { parent: _, ...unknown } = page;
        yield { ...unknown, records: [] };
      }
      const shareOfOne = Math.max(0, share - before) / records.length;
      for (const [index, { id, data }] of records.entries()) {
        if (++parents > MAX_LISTS) throw this.#tooMany(entity);
        const cursor = cursorOf ? cursorOf(id) : ofAll;
        const list = this.#listOf(client, entity, {
          ...ofParents,
          ...(cursor !== undefined && { cursor }),
          parent: data.toString(),
        });
        let next = await list.next();
        for (; !next.done; next = await list.next()) {
          // The page that ends a list counts for its parent.
          if (next.value.next !== null && ++pages > MAX_PAGES) throw this.#endless();
          if (next.value.next === null && ++lists > MAX_LISTS) throw this.#tooMany(entity);
          yield { ...next.value, parent: id, share: before + shareOfOne * (index + next.value.share) };
        }
        if (next.value) [gone, refusal] = [gone + 1, next.value];
      }
      before = Math.max(before, share);
    }
    // One parent may be deleted while the others are read; all of them are not.
    if (refusal && gone === parents) throw refusal;
  }

  /** Yields the pages of an entity without a parent, or of one parent: of one list, or of one for each of its parts. */
  async *#pagesOfParts(
    client: ProviderClient,
    entity: DocumentEntity,
    variables: Variables,
  ): AsyncGenerator<SourcePage> {
    if (entity.parts === undefined) {
      yield* this.pagesOfList(client, entity, variables);
      return;
    }
    const parts = await this.#evaluator.parts(entity.id, variables);
    if (parts.length > MAX_LISTS) throw this.#tooMany(entity);
    let pages = 0;
    for (const [index, part] of parts.entries())
      for await (const page of this.pagesOfList(client, entity, { ...variables, part })) {
        if (page.next !== null && ++pages > MAX_PAGES) throw this.#endless();
        yield { ...page, share: (index + page.share) / parts.length };
      }
  }

  /** Yields the pages of one parent. @returns why the parent is gone, if its first page is; otherwise nothing */
  async *#listOf(
    client: ProviderClient,
    entity: DocumentEntity,
    variables: Variables,
  ): AsyncGenerator<SourcePage, ProviderError | undefined> {
    let isBegun = false;
    try {
      for await (const page of this.#pagesOfParts(client, entity, variables)) {
        isBegun = true;
        yield page;
      }
      return undefined;
    } catch (error) {
      const isGone = error instanceof ProviderError && error.failure === 'not-found';
      // Where a part of a parent is gone, the others may be there.
      if (isBegun || entity.parts !== undefined || !isGone) throw error;
      return error;
    }
  }

  /**
   * Returns a page that is asked for by its number; null past the end, where services answer that it does not exist, or after a page
   * with fewer records than its size refuse its number. They answer so too if the list is gone: then its first page is gone as well.
   * @throws ProviderError `cursor-expired` if the page at which a run continues is refused: what came before it is not known
   */
  async #numberedPage(
    client: ProviderClient,
    entity: DocumentEntity,
    variables: Variables,
    { request, before, isResumed }: NumberedRequest,
  ): Promise<Answered | null> {
    const pagination = numberedPagination(entity.pagination);
    try {
      return await this.#page(client, entity, variables, request);
    } catch (error) {
      const failure = error instanceof ProviderError ? error.failure : undefined;
      if (failure !== 'not-found' && failure !== 'invalid') throw error;
      const first = await this.#evaluator.firstRequest(entity.id, variables);
      if (!pagination || numberOf(first, pagination) === numberOf(request, pagination)) throw error;
      const isShort = this.#isShort(entity, before);
      if (failure === 'invalid' && isResumed)
        throw new ProviderError('cursor-expired', `${this.#document.title} refuses to continue a list.`);
      if (failure === 'invalid' && !isShort) throw error;
      await this.#page(client, entity, variables, first);
      return null;
    }
  }

  async #page(
    client: ProviderClient,
    entity: DocumentEntity,
    variables: Variables,
    request: WireRequest,
  ): Promise<Answered> {
    const { path, query, headers } = request;
    const sent = sentBodyOf(request);
    const answer = await client.get({
      path,
      query,
      headers: { accept: '*/*', ...sent?.headers, ...headers },
      units: 1,
      isRaw: true,
      entity: entity.id,
      ...(sent && { text: sent.text, method: sent.method }),
      parse: (bytes, answered) =>
        this.#evaluator.page(
          entity.id,
          request,
          { bytes: transferable(bytes), headers: exposedHeaders(answered) },
          variables,
        ),
      classify: ({ body, headers: answered, now }) =>
        'failedBody' in body
          ? this.#classify(body.failedBody, { entity: entity.id, headers: answered, now })
          : undefined,
    });
    const sentAt = Date.parse(answer.headers.get('date') ?? '');
    const page = answer.body;
    const known = { request, sentAt: Number.isNaN(sentAt) ? Date.now() : sentAt };
    if (page === null || 'failedBody' in page)
      return { ...known, emptyAt: answer.emptyAt, records: [], next: null, total: null, skipped: 0 };
    const { pagination } = entity;
    const isAddress = pagination.kind === 'link' || pagination.kind === 'address';
    const named = page.next && isAddress ? atAnswer(page.next, answer.url) : page.next;
    const next = named && (await this.#withoutSecret(client, named, isAddress));
    if (next && isDeepStrictEqual(next, request))
      throw new ProviderError('malformed', `${this.#document.title} names the same page as the next one.`);
    return { ...page, ...known, next, records: receiveRecords(page.records) };
  }

  /** Returns the values of an account that expressions may read, as `config`. @throws ProviderError */
  async configOf(client: ProviderClient): Promise<Variables['config']> {
    return readableValues(this.#document, await client.fields());
  }

  /** Returns the request of a next page without the secret, which the provider may repeat: it becomes part of checkpoints. */
  async #withoutSecret(client: ProviderClient, next: WireRequest, isAddress: boolean): Promise<WireRequest> {
    const { authentication } = this.#document;
    const proofs = proofParametersOf(authentication);
    const url = isAddress ? URL.parse(next.path) : null;
    for (const [name, value] of [...(url?.searchParams ?? [])]) {
      if (proofs.includes(name) || (await client.isSecretIn(value))) url?.searchParams.delete(name);
    }
    const cleaned = url ? { ...next, path: url.href } : next;
    if (!(await client.isSecretIn(JSON.stringify(cleaned)))) return cleaned;
    const { title } = this.#document;
    throw new ProviderError('malformed', `${title} repeats the secret in the address of the next page.`);
  }

  #entity(id: string): DocumentEntity {
    const found = this.#document.entities.find((one) => one.id === id);
    if (!found) throw new Error(`the document has no entity ${id}`);
    return found;
  }

  #endless(): ProviderError {
    return new ProviderError('malformed', `${this.#document.title} lists pages without end.`);
  }

  #unnumbered({ title }: DocumentEntity): ProviderError {
    const cause = `${this.#document.title} answers each page of ${title} with the first one.`;
    return new ProviderError(
      'malformed',
      `${cause} Its connector must ask for pages by another parameter, or end at a page with fewer records than its size.`,
    );
  }

  #tooMany({ title }: DocumentEntity): ProviderError {
    const most = MAX_LISTS.toLocaleString('en');
    return new ProviderError(
      'invalid',
      `${title} can be read for at most ${most} parents or parts. Choose fewer in its settings.`,
    );
  }
}
