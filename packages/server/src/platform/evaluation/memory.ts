import { getHeapStatistics } from 'node:v8';
import { ResultList } from './result-list.ts';

/** Largest total size of cached rows, bytes of JSON. */
const ROWS_BUDGET = 160 * 1024 * 1024;
const RESULTS_KEPT = 12;
/** Largest total size of cached large lists, bytes; enough for one of the largest. */
const LISTS_BUDGET = 192 * 1024 * 1024;
/** Share of the heap in use above which cached results are dropped. */
const RESULTS_SHARE = 0.7;
/** The same share while the process is idle. */
const IDLE_SHARE = 0.4;
/** Heap size below which collecting is not worthwhile, bytes. */
const MIN_HEAP_BYTES = 48 * 1024 * 1024;

interface RowSet {
  family: string;
  /** Absent for streamed sets. */
  rows?: unknown[];
  /** Size as JSON, bytes. */
  size: number;
}

/** A result and the number of rows from which it was computed. */
interface Result {
  value: unknown;
  rows: number;
}

/** The cache of a child: parsed rows by data version, results by chain. Evicts the least recently used entries. */
export class Memory {
  readonly #sets = new Map<string, RowSet>();
  readonly #results = new Map<string, Result>();

  /** Caches rows; evicts older sets of the same family and sets beyond the budget. @returns the evicted keys */
  keep(key: string, set: RowSet): string[] {
    const forgotten: string[] = [];
    let total = set.size;
    for (const [old, other] of this.#sets) {
      if (old === key) continue;
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

  /** Returns cached rows. @throws Error when they are not cached */
  rows(key: string): unknown[] {
    const set = this.#sets.get(key);
    if (set?.rows === undefined) throw new Error('the rows are not loaded');
    touch(this.#sets, key, set);
    return set.rows;
  }

  hasResult(id: string): boolean {
    return this.#results.has(id);
  }

  /** Returns a cached result and marks it as recently used. @throws Error when it is not cached */
  result(id: string): Result {
    const result = this.#results.get(id);
    if (result === undefined) throw new Error('the result is not held');
    return touch(this.#results, id, result);
  }

  /** Drops all cached results. */
  dropResults(): void {
    this.#results.clear();
  }

  /** Caches a result. @param id must start with the key of its rows */
  keepResult(id: string, result: Result): void {
    const heap = getHeapStatistics();
    if (heap.used_heap_size > heap.heap_size_limit * RESULTS_SHARE) this.#results.clear();
    this.#results.delete(id);
    this.#results.set(id, result);
    this.#dropLists();
    if (this.#results.size > RESULTS_KEPT) this.#results.delete(this.#results.keys().next().value ?? '');
  }

  /** Drops the least recently used large lists beyond the budget. */
  #dropLists(): void {
    let total = 0;
    for (const [id, { value }] of [...this.#results].reverse()) {
      if (!(value instanceof ResultList)) continue;
      total += value.bytes;
      if (total > LISTS_BUDGET) this.#results.delete(id);
    }
  }
}

/** Frees unused memory of an idle process. */
export function freeMemory(memory: Memory): void {
  if (getHeapStatistics().used_heap_size < MIN_HEAP_BYTES) return;
  globalThis.gc?.();
  const heap = getHeapStatistics();
  if (heap.used_heap_size <= heap.heap_size_limit * IDLE_SHARE) return;
  memory.dropResults();
  globalThis.gc?.();
}

/** Moves an entry to the end of the map, where the most recently used entries are. */
function touch<V>(map: Map<string, V>, key: string, value: V): V {
  map.delete(key);
  map.set(key, value);
  return value;
}
