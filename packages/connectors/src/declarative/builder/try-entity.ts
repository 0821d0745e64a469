import type { ConnectorTrialRequest, ConnectorTrialResult } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { TaskThread, ThreadLimitError, transferable } from '../../sdk/index.ts';
import type { DocumentProblem } from '../document-problems.ts';
import type { DocumentOptions } from '../index.ts';
import type { WireRequest } from '../wire-request.ts';
import { checkDocument, readDocument } from './documents.ts';
import { SecretHider } from './hide-secret.ts';
import type { RecordedAnswer } from './recorded-answer.ts';
import { refusalProblem } from './refusal-problem.ts';
import { RequestTime } from './request-time.ts';
import { NoAnswerError, requestTrialAnswer, type TrialAnswer, type TrialConnection } from './trial-answer.ts';
import type { TrialIdentity, TrialPage, TrialRequest, TrialTask } from './trial-task.ts';
import { enteredSecrets, readTrialValues } from './trial-values.ts';

const thread = new TaskThread(new URL('./trial-thread.ts', import.meta.url), {
  timeoutMs: 10_000,
  heapMb: 384,
});

/** Options of `tryEntity`. */
export interface TrialOptions extends Pick<DocumentOptions, 'baseUrl' | 'hosts'> {
  /** Whether the recording keeps the names of members, e.g. to write a document from it; nothing may store it then. */
  keepsNames?: boolean;
}

/** What one page of the real API showed. */
export interface EntityTrial {
  result: ConnectorTrialResult;
  /** Hosts to which the secret was sent; none if nothing was. */
  hosts: string[];
  /** The answer with replaced values, for a stand-in; absent for failures, and where it would be too long. */
  recording?: RecordedAnswer;
  /** The answer about the account, likewise; its entity is `IDENTITY`. */
  identityRecording?: RecordedAnswer;
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

/** An answer that came, with the request as a person sees it. */
interface Answered {
  request: WireRequest;
  /** The part of the entity that it asked for, as JSON. */
  part?: string;
  answer: TrialAnswer & { bytes: Buffer };
}

/** Tries parts of a document whose faults are known. */
class Trial {
  readonly #connection: TrialConnection;
  readonly #keepsNames: boolean;
  readonly #variables: { config: Record<string, string>; settings: Record<string, string>; now: string };
  readonly #secrets: readonly string[];
  readonly #text: string;
  readonly #hider: SecretHider;
  result: ConnectorTrialResult;
  readonly recordings: Pick<EntityTrial, 'recording' | 'identityRecording'> = {};

  constructor(
    { keepsNames, ...connection }: TrialConnection & { keepsNames: boolean },
    values: { config: Record<string, string>; settings: Record<string, string>; secrets: readonly string[] },
    problems: DocumentProblem[],
  ) {
    const { config, settings, secrets } = values;
    this.#connection = connection;
    this.#keepsNames = keepsNames;
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

  /** Asks who is connected, as connecting an account does. */
  async identify(): Promise<void> {
    const base = this.#base();
    const answered = await this.#send('identity', base);
    if (!answered) return;
    const { status, headers, bytes } = answered.answer;
    const sent = transferable(bytes);
    const found = await this.#run<TrialIdentity>(
      { ...base, ...this.#answerOf(answered), kind: 'identity', answer: { bytes: sent, headers } },
      'identity',
      [sent.buffer],
    );
    if (!found) return;
    this.result.problems.push(...found.problems);
    this.#reportRefusal(found.text, status, 'identity');
    if (found.account !== undefined) this.result.account = found.account;
    if (found.recording) this.recordings.identityRecording = found.recording;
  }

  #base(parent?: string): Pick<TrialTask, 'document' | 'variables' | 'secrets'> {
    const variables = { ...this.#variables, ...(parent !== undefined && { parent }) };
    return { document: this.#text, variables, secrets: this.#secrets };
  }

  #answerOf({ request, answer: { status, answered } }: Answered) {
    return { request, status, answered, apiUrl: this.#connection.access.apiUrl };
  }

  #report(path: string, message: string): void {
    this.result.problems.push(this.#hider.problem({ path, message }));
  }

  #reportRefusal(text: string, status: number, at: string): void {
    const refusal = refusalProblem(this.#connection.document, { status, text }, at);
    if (refusal) this.#report(refusal.path, refusal.message);
  }

  async #page(index: number, parent: string | undefined, isLast: boolean): Promise<TrialPage | undefined> {
    const base = this.#base(parent);
    this.result.answer = null;
    const answered = await this.#send(index, base);
    if (!answered) return undefined;
    const { headers, status, bytes } = answered.answer;
    const sent = transferable(bytes);
    const { part } = answered;
    const variables = { ...base.variables, ...(part !== undefined && { part }) };
    const keepsNames = this.#keepsNames;
    const at = `entities.${index}`;
    const page = await this.#run<TrialPage>(
      {
        ...base,
        variables,
        ...this.#answerOf(answered),
        kind: 'page',
        index,
        keepsNames,
        answer: { bytes: sent, headers },
      },
      at,
      [sent.buffer],
    );
    if (!page) return undefined;
    const { answer } = this.result as Pick<ConnectorTrialResult, 'answer'>;
    if (answer) answer.text = page.text;
    this.result.problems.push(...page.problems);
    this.#reportRefusal(page.text, status, at);
    if (isLast) {
      const { records, nextPage, columns, suggestions } = page;
      this.result = { ...this.result, records, nextPage, columns, suggestions };
      if (status < 300 && page.recording) this.recordings.recording = page.recording;
    }
    return status < 300 ? page : undefined;
  }

  /** Sends the request of an entity, which the result shows, or of the identity. Reports why no answer could be read. */
  async #send(
    part: number | 'identity',
    base: Pick<TrialTask, 'document' | 'variables' | 'secrets'>,
  ): Promise<Answered | undefined> {
    const at = part === 'identity' ? part : `entities.${part}`;
    const { apiUrl, headers, query } = this.#connection.access;
    const access = { apiUrl, headers: Object.keys(headers), query: Object.keys(query) };
    const made = await this.#run<TrialRequest>({ ...base, kind: 'request', part, access }, at);
    this.result.problems.push(...(made?.problems ?? []));
    if (!made?.built) return undefined;
    const { request, shown, part: asked } = made.built;
    if (part !== 'identity') this.result.request = shown;
    try {
      const answer = await requestTrialAnswer(this.#connection, request);
      const { bytes, bodyProblem } = answer;
      if (part !== 'identity') this.result.answer = this.#shownAnswer(answer);
      if (bytes)
        return { request, ...(asked !== undefined && { part: asked }), answer: { ...answer, bytes } };
      this.#report(
        `${at}.request`,
        `${bodyProblem} A trial reads at most 1 MB in 10 s: ask for smaller pages.`,
      );
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      this.#report(error.isRequest ? `${at}.request.path` : 'baseUrl', error.message);
    }
    return undefined;
  }

  #shownAnswer({ status, headers, milliseconds, bytes }: TrialAnswer): ConnectorTrialResult['answer'] {
    const type = this.#hider.shorten(headers['content-type'] ?? '', 200);
    return { status, type, bytes: bytes?.length ?? 0, milliseconds, text: '' };
  }

  /** Runs a task; one that reaches a limit, or that fails, is a problem of the part at this place. */
  async #run<T>(task: TrialTask, at: string, transfer: readonly ArrayBuffer[] = []): Promise<T | undefined> {
    try {
      return await thread.run<T>(task, transfer);
    } catch (error) {
      const isLimit = error instanceof ThreadLimitError;
      this.#report(
        at,
        isLimit
          ? `Its expressions take too much ${error.limit} for this answer. Look for regular expressions and loops without end.`
          : 'The answer could not be evaluated.',
      );
      return undefined;
    }
  }
}

/**
 * Reads one page of an entity from the real API, and who is connected where the document says how: at most 1 MB each and 10 s
 * together, from allowed hosts. An entity with parents is read for the first record of the first page of its parent. Faults of the
 * document, of the values and of the answers are problems of the result; nothing of them throws. No text of the result has the
 * secret in it, and the recordings have no value of the answers.
 * @param options hosts that may be called (`DocumentOptions`)
 */
export async function tryEntity(
  trial: ConnectorTrialRequest,
  options: TrialOptions = {},
): Promise<EntityTrial> {
  const { document, problems: found } = await readDocument(trial.document);
  const tried = document ? await tryDocument(document, trial, options) : failedTrial(found);
  const hider = new SecretHider(
    document ? enteredSecrets(document, trial) : [trial.secret, trial.secret.trim()],
  );
  const problems = tried.result.problems.map((problem) => hider.problem(problem));
  return { ...tried, result: { ...tried.result, problems } };
}

const failedTrial = (problems: DocumentProblem[]) => ({ result: emptyResult(problems), hosts: [] });

async function tryDocument(
  document: ConnectorDocument,
  trial: ConnectorTrialRequest,
  { baseUrl, hosts, keepsNames = false }: TrialOptions,
): Promise<EntityTrial> {
  const found = await checkDocument(document);
  const chain = chainOf(document, trial.entity);
  if (document.entities.every(({ id }) => id !== trial.entity))
    return failedTrial([...found, { path: 'entities', message: `There is no entity ${trial.entity}.` }]);
  if (found.some((problem) => isBlocking(problem, chain))) return failedTrial(found);
  const time = new RequestTime();
  const values = await readTrialValues(document, chain.at(-1) ?? 0, trial, { baseUrl, hosts, time });
  const { access } = values;
  if (!access) return { ...failedTrial([...found, ...values.problems]), hosts: values.hosts };
  const run = new Trial({ document, access, hosts, time, keepsNames }, values, found);
  await run.run(chain);
  const isRefused = run.result.problems.some(({ path }) => path === 'authentication' || path === 'baseUrl');
  const isIdentityWrong = found.some(({ path }) => path.split('.')[0] === 'identity');
  if (document.identity && !isRefused && !isIdentityWrong) await run.identify();
  return { result: run.result, hosts: values.hosts, ...run.recordings };
}
