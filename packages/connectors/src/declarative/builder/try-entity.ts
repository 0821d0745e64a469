import type { ConnectorTrial, ConnectorTrialResult } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { TaskThread, ThreadLimitError, transferable, urlOf } from '../../sdk/index.ts';
import type { DocumentProblem } from '../document-problems.ts';
import type { DocumentOptions } from '../index.ts';
import type { WireRequest } from '../wire-request.ts';
import { checkDocument, readDocument } from './documents.ts';
import { HIDDEN, SecretHider } from './hide-secret.ts';
import type { RecordedAnswer } from './recorded-answer.ts';
import { refusalProblem } from './refusal-problem.ts';
import { NoAnswerError, type TrialAnswer, type TrialConnection, trialAnswer } from './trial-answer.ts';
import type { TrialPage, TrialRequest, TrialTask } from './trial-task.ts';
import { type Access, trialValues } from './trial-values.ts';

/** Time for all requests of a trial, ms. */
const TIMEOUT_MS = 10_000;
/** Longest body and address of a request that are shown. */
const MAX_SHOWN = 20_000;

const thread = new TaskThread(new URL('./trial-thread.ts', import.meta.url), {
  timeoutMs: 10_000,
  heapMb: 384,
});

/** Options of `tryEntity`. */
export type TrialOptions = Pick<DocumentOptions, 'baseUrl' | 'hosts'>;

/** What one page of the real API showed. */
export interface EntityTrial {
  result: ConnectorTrialResult;
  /** The answer with replaced values, for a stand-in; absent for failures, and for formats other than JSON. */
  recording?: RecordedAnswer;
}

function emptyResult(problems: DocumentProblem[]): ConnectorTrialResult {
  return {
    request: null,
    answer: null,
    records: { count: 0, first: [] },
    nextPage: null,
    columns: [],
    suggestions: [],
    problems,
  };
}

/** Returns the places of an entity and its parents, the uppermost first. */
function chainOf({ entities }: ConnectorDocument, id: string): number[] {
  const chain: number[] = [];
  for (let next: string | undefined = id; next !== undefined && chain.length < 3; ) {
    const index = entities.findIndex((entity) => entity.id === next);
    if (index < 0) break;
    chain.unshift(index);
    next = entities[index]?.parent;
  }
  return chain;
}

/** Returns whether a fault of the document keeps the entities of a chain from being tried. */
function isBlocking({ path }: DocumentProblem, chain: readonly number[]): boolean {
  const [group, index, part] = path.split('.');
  if (group !== 'entities') return group !== 'identity';
  if (index === undefined) return false;
  return (
    chain.includes(Number(index)) &&
    !['templates', 'reading', 'titleColumn', 'sortedBy', 'id'].includes(part ?? '')
  );
}

/** Tries one entity of a document whose faults are known. */
class Trial {
  readonly #connection: TrialConnection;
  readonly #variables: { config: Record<string, string>; settings: Record<string, string>; now: string };
  readonly #secrets: readonly string[];
  readonly #text: string;
  readonly #hider: SecretHider;
  result: ConnectorTrialResult;
  recording: RecordedAnswer | undefined;

  constructor(
    connection: TrialConnection,
    values: { config: Record<string, string>; settings: Record<string, string>; secrets: readonly string[] },
    problems: DocumentProblem[],
  ) {
    const { config, settings, secrets } = values;
    this.#connection = connection;
    this.#variables = { config, settings, now: new Date().toISOString() };
    this.#secrets = secrets;
    this.#text = JSON.stringify(connection.document);
    this.#hider = new SecretHider(secrets);
    this.result = emptyResult(problems);
  }

  /** Reads a page of each entity of the chain: one for the first record of the one before. */
  async run(chain: readonly number[]): Promise<void> {
    let parent: string | undefined;
    for (const [depth, index] of chain.entries()) {
      const isLast = depth === chain.length - 1;
      const page = await this.#page(index, parent, isLast);
      parent = page?.parent;
      if (!page || isLast) return;
      if (parent === undefined) {
        this.#report(
          `entities.${index}.records`,
          'It yields no record, so that there is no parent for which to request the entity.',
        );
        return;
      }
    }
  }

  #report(path: string, message: string): void {
    this.result.problems.push({ path, message: this.#hider.hide(message) });
  }

  async #page(index: number, parent: string | undefined, isLast: boolean): Promise<TrialPage | undefined> {
    const variables = { ...this.#variables, ...(parent !== undefined && { parent }) };
    const base = { document: this.#text, index, variables, secrets: this.#secrets };
    const built = await this.#run<TrialRequest>({ ...base, kind: 'request' }, index);
    this.result.problems.push(...(built?.problems ?? []));
    const request = built?.request;
    if (!request) return undefined;
    const answer = await this.#send(request, index);
    if (!answer) return undefined;
    const { bytes, headers, status, answered } = answer;
    if (!bytes) {
      this.#report(
        `entities.${index}.request`,
        `${answer.bodyProblem} A trial reads at most 1 MB in 10 s: ask for smaller pages.`,
      );
      return undefined;
    }
    const sent = transferable(bytes);
    const { apiUrl } = this.#connection.access;
    const page = await this.#run<TrialPage>(
      { ...base, kind: 'page', request, answer: { bytes: sent, headers }, status, answered, apiUrl },
      index,
      [sent.buffer],
    );
    if (!page) return undefined;
    if (this.result.answer) this.result.answer.text = page.text;
    this.result.problems.push(...page.problems);
    const refusal = refusalProblem(this.#connection.document, { status, text: page.text }, index);
    if (refusal) this.#report(refusal.path, refusal.message);
    if (isLast) {
      const { records, nextPage, columns, suggestions } = page;
      this.result = { ...this.result, records, nextPage, columns, suggestions };
      if (status < 300) this.recording = page.recording;
    }
    return status < 300 ? page : undefined;
  }

  async #send(request: WireRequest, index: number): Promise<TrialAnswer | undefined> {
    this.result.answer = null;
    try {
      this.result.request = this.#shown(request);
      const answer = await trialAnswer(this.#connection, request);
      const { status, headers, milliseconds, bytes } = answer;
      const type = this.#hider.hide(headers['content-type'] ?? '').slice(0, 200);
      this.result.answer = { status, type, bytes: bytes?.length ?? 0, milliseconds, text: '' };
      return answer;
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      this.#report(error.isRequest ? `entities.${index}.request.path` : 'baseUrl', error.message);
      return undefined;
    }
  }

  /** Returns a request as a person sees it: the secret is hidden where it is sent. */
  #shown({ path, query, headers, body }: WireRequest): NonNullable<ConnectorTrialResult['request']> {
    const { access, document } = this.#connection;
    const { authentication } = document;
    const prefix =
      'prefix' in authentication
        ? authentication.prefix
        : authentication.kind === 'basic'
          ? 'Basic '
          : 'Bearer ';
    const proof = Object.keys(access.headers).map((name) => [name, prefix + HIDDEN]);
    const url = urlShown({ path, query }, access);
    const hidden = Object.entries(headers).map(([name, value]) => [name, this.#hider.hide(value)]);
    const json = body
      ? this.#hider.hide(JSON.stringify(body, null, 2).slice(0, 5 * MAX_SHOWN)).slice(0, MAX_SHOWN)
      : null;
    return {
      method: body ? 'POST' : 'GET',
      url: this.#hider.hide(url).slice(0, MAX_SHOWN) + this.#secretQuery(url, access),
      headers: {
        accept: '*/*',
        ...(body && { 'content-type': 'application/json' }),
        ...Object.fromEntries(hidden),
        ...Object.fromEntries(proof),
      },
      body: json,
    };
  }

  #secretQuery(url: string, { query }: Access): string {
    const names = Object.keys(query);
    if (names.length === 0) return '';
    return (
      (url.includes('?') ? '&' : '?') + names.map((name) => `${encodeURIComponent(name)}=${HIDDEN}`).join('&')
    );
  }

  /** Runs a task; one that reaches a limit, or that fails, is a problem of the entity. */
  async #run<T>(
    task: TrialTask,
    index: number,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<T | undefined> {
    try {
      return await thread.run<T>(task, transfer);
    } catch (error) {
      const isLimit = error instanceof ThreadLimitError;
      this.#report(
        `entities.${index}`,
        isLimit
          ? `Its expressions take too much ${error.limit} for this answer. Look for regular expressions and loops without end.`
          : 'The answer could not be evaluated.',
      );
      return undefined;
    }
  }
}

/** Returns the address of a request without the parameters of the secret; the path where it is none. @throws NoAnswerError */
function urlShown(request: Pick<WireRequest, 'path' | 'query'>, access: Access): string {
  try {
    const url = urlOf(request, access.apiUrl);
    for (const name of Object.keys(access.query)) url.searchParams.delete(name);
    return url.href;
  } catch {
    throw new NoAnswerError('The address of the request cannot be read, or is at another host.', true);
  }
}

/**
 * Reads one page of an entity from the real API: at most 1 MB in 10 s, from allowed hosts. An entity with parents is read for the
 * first record of the first page of its parent. Faults of the document, of the values and of the answer are problems of the
 * result; nothing of them throws. No text of the result has the secret in it, and `recording` has no value of the answer.
 * @param options hosts that may be called (`DocumentOptions`)
 */
export async function tryEntity(trial: ConnectorTrial, options: TrialOptions = {}): Promise<EntityTrial> {
  const { document, problems } = await readDocument(trial.document);
  if (!document) return { result: emptyResult(problems) };
  const found = await checkDocument(document);
  const chain = chainOf(document, trial.entity);
  if (document.entities.every(({ id }) => id !== trial.entity))
    return {
      result: emptyResult([...found, { path: 'entities', message: `There is no entity ${trial.entity}.` }]),
    };
  if (found.some((problem) => isBlocking(problem, chain))) return { result: emptyResult(found) };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { baseUrl, hosts } = options;
  const values = await trialValues(document, chain.at(-1) ?? 0, trial, { baseUrl, hosts, signal });
  const { access } = values;
  if (!access) return { result: emptyResult([...found, ...values.problems]) };
  const connection = { document, access, hosts, signal };
  const run = new Trial(connection, values, found);
  await run.run(chain);
  return { result: run.result, ...(run.recording && { recording: run.recording }) };
}
