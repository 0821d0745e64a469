import { BOUNDS } from '@datadeck/contract';
import type { EvaluationRequest } from './protocol.ts';
import type { ResultFile } from './result-file.ts';

/** Largest total size of kept results, bytes: of an owner, of all. */
const MAX_BYTES = { owner: BOUNDS.downloadBytes, all: 4 * BOUNDS.downloadBytes } as const;
/** Largest number of kept results, each of which is an open file: of an owner, of all. */
const MAX_FILES = { owner: 50, all: 1000 } as const;
/** Time for which a result is kept that another evaluation of the same rows may not have, ms. */
const VOLATILE_MS = 60_000;
/** Functions whose value is another one with each evaluation; `$eval` may call them. */
const VOLATILE = /\$(now|millis|random|shuffle|eval)\b/;

/** The evaluation that a result is of. */
type KeptEvaluation = Pick<EvaluationRequest, 'plan' | 'chain'> & { userId: string };

interface Kept {
  owner: string;
  result: ResultFile;
  /** When the result is no longer used, ms since the start of the process. */
  until: number;
}

/** Keeps result files of this process by key; the least recently used ones of an owner, or of all, go first. */
export class ResultCache {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  /** Changes when results are dropped because of a deletion: what was evaluated before must not be kept after it. */
  generation = 0;

  /** Returns the result with a key, which the caller must release. */
  get(key: string): ResultFile | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    if (kept.until <= performance.now()) {
      kept.result.release();
      return undefined;
    }
    this.#kept.set(key, kept);
    return kept.result.retain();
  }

  /** Keeps a result in place of the one with the same key. */
  keep(key: string, { evaluation, result }: { evaluation: KeptEvaluation; result: ResultFile }): void {
    this.#drop(key);
    const { userId: owner, plan = [], chain } = evaluation;
    const expressions = [...plan.map(({ expression }) => expression), ...chain];
    const isVolatile = expressions.some((expression) => VOLATILE.test(expression));
    const until = isVolatile ? performance.now() + VOLATILE_MS : Number.POSITIVE_INFINITY;
    this.#kept.set(key, { owner, until, result: result.retain() });
    this.#shrink(
      [...this.#kept].filter(([, kept]) => kept.owner === owner),
      MAX_BYTES.owner,
      MAX_FILES.owner,
    );
    this.#shrink([...this.#kept], MAX_BYTES.all, MAX_FILES.all);
  }

  #shrink(entries: [string, Kept][], maxBytes: number, maxFiles: number): void {
    let bytes = entries.reduce((total, [, { result }]) => total + result.bytes, 0);
    let files = entries.length;
    for (const [key, { result }] of entries) {
      if (bytes <= maxBytes && files <= maxFiles) return;
      bytes -= result.bytes;
      files--;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#kept.get(key)?.result.release();
    this.#kept.delete(key);
  }

  /** Drops the results of an owner. */
  forget(owner: string): void {
    this.generation++;
    for (const [key, kept] of this.#kept) if (kept.owner === owner) this.#drop(key);
  }

  /** Drops all results. */
  clear(): void {
    this.generation++;
    for (const key of this.#kept.keys()) this.#drop(key);
  }
}
