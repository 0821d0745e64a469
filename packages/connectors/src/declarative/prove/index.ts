import type { ConnectorProof, ProofCheck } from '@datadeck/contract';
import type { ConnectorDocument, DocumentEntity } from '@datadeck/contract/connector-document';
import { ProviderError } from '../../sdk/index.ts';
import { IDENTITY, type RecordedAnswer } from '../builder/recorded-answer.ts';
import { DocumentEvaluator } from '../document-evaluator.ts';
import { documentProblems } from '../document-problems.ts';
import { CHECKS, type Check, type Outcome } from './checks.ts';
import { EntityProof } from './entity-proof.ts';
import { proveIdentity } from './identity-proof.ts';
import { failed, PASSED, undecided } from './outcome.ts';
import { ProofStoppedError } from './proof-stopped-error.ts';
import { provableDocument } from './proof-values.ts';

/** Longest proof, ms. */
const TIMEOUT_MS = 60_000;

const NO_TIME = undecided('There was no time left.');
/** In the place of the checks that say nothing after a failure. */
const BLOCKED = {
  title: 'The other checks',
  path: '',
  outcome: 'undecided',
  message: 'Correct what failed first; then the other checks run.',
} as const;

/** What is found of the recorded answer before anything is read, by the part of the entity that it is about. */
const TEMPLATE_TITLES: Readonly<Record<string, string>> = {
  request: 'The recorded answer can be read',
  records: 'The records of an answer are found',
  key: 'Each record has a key of its own',
  date: 'Each record has a date',
  sortedBy: 'The order of the list is the one that the document names',
  incremental: 'The time or number that grows with each change is found',
  pagination: 'The next page is found',
};

type Options = { signal?: AbortSignal | undefined; timeoutMs?: number | undefined };

/** Proves the entities of one document, one after another. */
class Proof {
  readonly #document: ConnectorDocument;
  readonly #original: ConnectorDocument;
  readonly #recordings: readonly RecordedAnswer[];
  readonly #signal: AbortSignal;
  readonly #evaluator: DocumentEvaluator;
  readonly checks: ProofCheck[] = [];

  constructor(document: ConnectorDocument, recordings: readonly RecordedAnswer[], signal: AbortSignal) {
    this.#document = provableDocument(document);
    this.#original = document;
    this.#recordings = recordings;
    this.#signal = signal;
    this.#evaluator = new DocumentEvaluator(this.#document);
  }

  async run(): Promise<void> {
    const end = () => this.#evaluator.end();
    this.#signal.addEventListener('abort', end, { once: true });
    try {
      for (const [index, entity] of this.#document.entities.entries()) await this.#prove(entity, index);
      if (this.#document.identity) await this.#proveIdentity();
    } finally {
      this.#signal.removeEventListener('abort', end);
      end();
    }
  }

  async #proveIdentity(): Promise<void> {
    const add = (title: string, path: string, { outcome, message }: Outcome) =>
      this.checks.push({ entity: IDENTITY, title, outcome, message, path: outcome === 'failed' ? path : '' });
    const title = 'The account is found';
    try {
      this.#signal.throwIfAborted();
      const checks = await proveIdentity(this.#document, {
        original: this.#original,
        recordings: this.#recordings,
        evaluator: this.#evaluator,
      });
      for (const check of checks) add(check.title, check.path, check.outcome);
    } catch (error) {
      if (this.#signal.aborted) add(title, '', NO_TIME);
      else if (error instanceof ProofStoppedError) add(title, '', undecided(error.message));
      else if (error instanceof ProviderError) add(title, 'identity.request', failed(error.message));
      else throw error;
    }
  }

  #add(index: number, { title, path }: Pick<Check, 'title' | 'path'>, { outcome, message }: Outcome): void {
    const entity = this.#document.entities[index]?.id ?? '';
    const place = path.startsWith('/') ? path.slice(1) : `entities.${index}${path === '' ? '' : `.${path}`}`;
    this.checks.push({ entity, title, outcome, message, path: outcome === 'failed' ? place : '' });
  }

  async #prove(entity: DocumentEntity, index: number): Promise<void> {
    const signal = this.#signal;
    const entityProof = new EntityProof(this.#document, entity, {
      original: this.#original,
      recordings: this.#recordings,
      evaluator: this.#evaluator,
      signal,
    });
    try {
      signal.throwIfAborted();
      await entityProof.open();
      for (const [path, title] of Object.entries(TEMPLATE_TITLES))
        if (path in entity || path === 'request')
          this.#add(index, { title, path }, path === 'pagination' ? entityProof.pagination : PASSED);
      await this.#runChecks(entityProof, index);
    } catch (error) {
      this.#addStop(error, index);
    } finally {
      entityProof.close();
    }
  }

  /** Adds the check that a recorded answer did not pass, and one for all others. */
  #addStop(error: unknown, index: number): void {
    const title = 'The stand-in is made of the recorded answer';
    if (this.#signal.aborted) {
      this.#add(index, { title, path: '' }, NO_TIME);
      return;
    }
    if (error instanceof ProofStoppedError) {
      const { path, outcome, message } = error;
      const known = path === '/failed' ? 'records' : (path.split('.')[0] ?? '');
      this.#add(index, { title: TEMPLATE_TITLES[known] ?? title, path }, { outcome, message });
      if (outcome !== 'failed') return;
    } else if (error instanceof ProviderError) {
      this.#add(index, { title, path: 'request' }, { outcome: 'failed', message: error.message });
    } else throw error;
    this.#add(index, BLOCKED, BLOCKED);
  }

  async #runChecks(entityProof: EntityProof, index: number): Promise<void> {
    for (const check of CHECKS) {
      const outcome = await this.#outcomeOf(check, entityProof);
      this.#add(index, { title: check.title, path: outcome.path ?? check.path }, outcome);
      if (check.isBasic !== true || outcome.outcome !== 'failed') continue;
      this.#add(index, BLOCKED, BLOCKED);
      return;
    }
  }

  async #outcomeOf({ run }: Check, entityProof: EntityProof): Promise<Outcome> {
    if (this.#signal.aborted) return NO_TIME;
    try {
      entityProof.reset();
      const outcome = await run(entityProof);
      // An abort in the middle of a check looks like a failure of what it reads.
      return this.#signal.aborted ? NO_TIME : outcome;
    } catch (error) {
      if (this.#signal.aborted) return NO_TIME;
      const message = error instanceof ProviderError ? error.message : `It did not work: ${String(error)}`;
      return { outcome: 'failed', message };
    }
  }
}

/**
 * Proves a document before its first synchronization: serves collections that are made of recorded answers on the loopback
 * address, with faults, and reads them as a synchronization does. Waits are 200 times as fast. No recorded text and no secret
 * is stored; the stand-in ends with the proof.
 * @param recordings one successful answer for each entity, parents included, and for the account
 * @param options `timeoutMs`: checks that are left after it are undecided (default one minute)
 * @returns one check for each entity and behaviour, in an order to read; those of the account have the entity `identity`
 * @throws the reason of `signal` when it aborts; Error for a document with faults, see `documentProblems`
 */
export async function proveDocument(
  document: ConnectorDocument,
  recordings: readonly RecordedAnswer[],
  { signal, timeoutMs = TIMEOUT_MS }: Options = {},
): Promise<ConnectorProof> {
  const [problem] = documentProblems(document);
  if (problem) throw new Error(`${problem.path}: ${problem.message}`);
  const begun = performance.now();
  const end = AbortSignal.timeout(Math.max(0, timeoutMs));
  const proof = new Proof(document, recordings, signal ? AbortSignal.any([signal, end]) : end);
  await proof.run();
  signal?.throwIfAborted();
  return { checks: proof.checks, milliseconds: Math.round(performance.now() - begun) };
}
