import { getHeapStatistics } from 'node:v8';

/** Bytes of rows that are kept. */
const ROWS_BUDGET = 160 * 1024 * 1024;
const RESULTS_KEPT = 12;
/** The share of the heap that may be in use before older results go. */
const RESULTS_SHARE = 0.7;
/** The same while nobody asks: memory that the machine may need for others. */
const IDLE_SHARE = 0.4;
/** What a process needs anyway, bytes: not worth collecting. */
const SMALL = 48 * 1024 * 1024;

interface RowSet {
  family: string;
  rows: unknown[];
  /** As JSON, bytes. */
  size: number;
}

/** What a child keeps: parsed rows by the version of the data, results by chain. The least recently used go first. */
export class Memory {
  readonly #sets = new Map<string, RowSet>();
  readonly #results = new Map<string, unknown>();

  /** Keeps rows, and forgets stale ones of the same family and what no longer fits. @returns the keys forgotten */
  keep(key: string, set: RowSet): string[] {
    const forgotten: string[] = [];
    let total = set.size;
    for (const [old, other] of this.#sets) {
      if (other.family === set.family) forgotten.push(old);
      else total += other.size;
    }
    for (const [old, other] of this.#sets) {
      if (total <= ROWS_BUDGET) break;
      if (other.family === set.family) continue;
      forgotten.push(old);
      total -= other.size;
    }
    for (const old of forgotten) this.#forget(old);
    this.#sets.set(key, set);
    return forgotten;
  }

  #forget(key: string): void {
    this.#sets.delete(key);
    for (const id of this.#results.keys()) if (id.startsWith(`${key}\n`)) this.#results.delete(id);
  }

  /** @throws Error when the rows were never loaded */
  rows(key: string): unknown[] {
    const set = this.#sets.get(key);
    if (set === undefined) throw new Error('the rows are not loaded');
    return touch(this.#sets, key, set).rows;
  }

  hasResult(id: string): boolean {
    return this.#results.has(id);
  }

  /** A result that is kept. */
  result(id: string): unknown {
    return touch(this.#results, id, this.#results.get(id));
  }

  /** Forgets all results. */
  dropResults(): void {
    this.#results.clear();
  }

  /** Keeps a result under an id that begins with the key of its rows. */
  keepResult(id: string, value: unknown): void {
    const heap = getHeapStatistics();
    if (heap.used_heap_size > heap.heap_size_limit * RESULTS_SHARE) this.#results.clear();
    this.#results.set(id, value);
    if (this.#results.size > RESULTS_KEPT) this.#results.delete(this.#results.keys().next().value ?? '');
  }
}

/** Gives memory back that nobody uses; for a process that has nothing to do. */
export function rest(memory: Memory): void {
  if (getHeapStatistics().used_heap_size < SMALL) return;
  globalThis.gc?.();
  const heap = getHeapStatistics();
  if (heap.used_heap_size <= heap.heap_size_limit * IDLE_SHARE) return;
  memory.dropResults();
  globalThis.gc?.();
}

/** Takes the entry to the young end of the map. */
function touch<V>(map: Map<string, V>, key: string, value: V): V {
  map.delete(key);
  map.set(key, value);
  return value;
}
