import { getHeapStatistics } from 'node:v8';
import { ResultList } from './result-list.ts';

/** Bytes of rows that are kept. */
const ROWS_BUDGET = 160 * 1024 * 1024;
const RESULTS_KEPT = 12;
/** Bytes of large lists that are kept: one of the largest. */
const LISTS_BUDGET = 192 * 1024 * 1024;
/** The share of the heap that may be in use before older results go. */
const RESULTS_SHARE = 0.7;
/** The same while nobody asks: memory that the machine may need for others. */
const IDLE_SHARE = 0.4;
/** What a process needs anyway, bytes: not worth collecting. */
const MIN_HEAP_BYTES = 48 * 1024 * 1024;

interface RowSet {
  family: string;
  /** Absent when they were streamed. */
  rows?: unknown[];
  /** As JSON, bytes. */
  size: number;
}

/** A result with the number of rows that it was computed from. */
interface Result {
  value: unknown;
  rows: number;
}

/** What a child keeps: parsed rows by the version of the data, results by chain. The least recently used go first. */
export class Memory {
  readonly #sets = new Map<string, RowSet>();
  readonly #results = new Map<string, Result>();

  /** Keeps rows, and forgets stale ones of the same family and what no longer fits. @returns the keys forgotten */
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

  /** @throws Error when the rows were never loaded */
  rows(key: string): unknown[] {
    const set = this.#sets.get(key);
    if (set?.rows === undefined) throw new Error('the rows are not loaded');
    touch(this.#sets, key, set);
    return set.rows;
  }

  hasResult(id: string): boolean {
    return this.#results.has(id);
  }

  /** A result that is kept. @throws Error when it is not */
  result(id: string): Result {
    const result = this.#results.get(id);
    if (result === undefined) throw new Error('the result is not held');
    return touch(this.#results, id, result);
  }

  /** Forgets all results. */
  dropResults(): void {
    this.#results.clear();
  }

  /** Keeps a result under an id that begins with the key of its rows. */
  keepResult(id: string, result: Result): void {
    const heap = getHeapStatistics();
    if (heap.used_heap_size > heap.heap_size_limit * RESULTS_SHARE) this.#results.clear();
    this.#results.delete(id);
    this.#results.set(id, result);
    this.#dropLists();
    if (this.#results.size > RESULTS_KEPT) this.#results.delete(this.#results.keys().next().value ?? '');
  }

  /** Forgets the oldest large lists until those that are left have room. */
  #dropLists(): void {
    let total = 0;
    for (const [id, { value }] of [...this.#results].reverse()) {
      if (!(value instanceof ResultList)) continue;
      total += value.bytes;
      if (total > LISTS_BUDGET) this.#results.delete(id);
    }
  }
}

/** Gives memory back that nobody uses; for a process that has nothing to do. */
export function freeMemory(memory: Memory): void {
  if (getHeapStatistics().used_heap_size < MIN_HEAP_BYTES) return;
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
