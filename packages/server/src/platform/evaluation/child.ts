/**
 * The process that evaluates expressions: no environment, no file system beyond the code, a memory cap, killed past
 * the deadline by its parent. Keeps parsed rows and results, the least recently used go first.
 */
import { compile, JsonataError, LIMIT_CODES } from '@datadeck/jsonata';
import { outputChunks } from './output.ts';
import type { Bindings, EvaluationFailure, EvaluationRequest, FromChild, ToChild } from './protocol.ts';

/** Text of parsed rows that is kept, UTF-16 units. */
const ROWS_BUDGET = 96 * 1024 * 1024;
const RESULTS_KEPT = 12;
const PAGE_BUDGET = 16 * 1024 * 1024;

const rowsByKey = new Map<string, { rows: unknown; size: number }>();
const loading = new Map<string, string[]>();
const results = new Map<string, unknown>();
const streams = new Map<number, Generator<string>>();

function send(message: FromChild): void {
  process.send?.(message);
}

/** Takes the entry to the young end of the map. */
function touch<V>(map: Map<string, V>, key: string, value: V): V {
  map.delete(key);
  map.set(key, value);
  return value;
}

function load(key: string, text: string, last: boolean): void {
  const pieces = loading.get(key) ?? [];
  pieces.push(text);
  loading.set(key, pieces);
  if (!last) return;
  loading.delete(key);
  const whole = pieces.join('');
  touch(rowsByKey, key, { rows: JSON.parse(whole), size: whole.length });
  const forgotten: string[] = [];
  let total = [...rowsByKey.values()].reduce((sum, entry) => sum + entry.size, 0);
  for (const [old, entry] of rowsByKey) {
    if (total <= ROWS_BUDGET || old === key) break;
    rowsByKey.delete(old);
    for (const id of results.keys()) if (id.startsWith(`${old}\n`)) results.delete(id);
    forgotten.push(old);
    total -= entry.size;
  }
  send({ type: 'loaded', key, forgotten });
}

/** Equal texts for equal values, in whatever order they are given. */
function boundText(bindings: Bindings = {}): string {
  return JSON.stringify(Object.entries(bindings).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The result of a chain; a chain's beginnings are results too, so views upon views share them. */
function evaluate(request: EvaluationRequest): unknown {
  const source = rowsByKey.get(request.key);
  if (!source) throw new Error('the rows are not loaded');
  touch(rowsByKey, request.key, source);
  let value = source.rows;
  // Values of variables change results as much as expressions do.
  let id = `${request.key}\n${boundText(request.bindings)}`;
  for (const expression of request.chain) {
    id = `${id}\n${JSON.stringify(expression)}`;
    if (results.has(id)) value = touch(results, id, results.get(id));
    else {
      value =
        expression.trim() === ''
          ? value
          : compile(expression, { timeMs: request.deadlineMs }).evaluate(value, { ...request.bindings });
      touch(results, id, value);
    }
    if (results.size > RESULTS_KEPT) results.delete(results.keys().next().value as string);
  }
  return value;
}

function sendPage(request: Extract<ToChild, { type: 'page' }>): void {
  const started = performance.now();
  const value = evaluate(request);
  const isArray = Array.isArray(value);
  const items = isArray ? value : value === undefined ? [] : [value];
  const text = JSON.stringify(items.slice(request.offset, request.offset + request.limit));
  if (text.length > PAGE_BUDGET) throw new JsonataTooLarge();
  const rows = rowsByKey.get(request.key)?.rows;
  send({
    type: 'page',
    id: request.id,
    text,
    count: items.length,
    isArray,
    rows: Array.isArray(rows) ? rows.length : 1,
    elapsedMs: Math.round((performance.now() - started) * 10) / 10,
  });
}

class JsonataTooLarge extends Error {}

const LIMITS = new Set<string>(Object.values(LIMIT_CODES));

/** Limits of the engine have codes of their own; syntax errors begin with S. */
function failureOf(error: unknown): EvaluationFailure {
  if (error instanceof JsonataError) {
    const code = error.code ?? '';
    const kind = LIMITS.has(code) ? 'too-complex' : code.startsWith('S') ? 'invalid' : 'failed';
    return {
      kind,
      code,
      message: error.message,
      position: typeof error.position === 'number' ? error.position : null,
    };
  }
  const tooLarge = error instanceof RangeError || error instanceof JsonataTooLarge;
  return {
    kind: tooLarge ? 'too-complex' : 'failed',
    code: '',
    message: error instanceof Error ? error.message : String(error),
    position: null,
  };
}

function advance(id: number): void {
  const stream = streams.get(id);
  if (!stream) return;
  const next = stream.next();
  if (next.done) streams.delete(id);
  send({ type: 'chunk', id, text: next.done ? '' : next.value, last: next.done === true });
}

process.on('message', (message: ToChild) => {
  try {
    if (message.type === 'load') load(message.key, message.text, message.last);
    else if (message.type === 'page') sendPage(message);
    else if (message.type === 'more') advance(message.id);
    else {
      streams.set(message.id, outputChunks(evaluate(message), message.format));
      advance(message.id);
    }
  } catch (error) {
    if (!('id' in message)) throw error;
    streams.delete(message.id);
    send({ type: 'failure', id: message.id, failure: failureOf(error) });
  }
});
process.on('disconnect', () => process.exit(0));
send({ type: 'ready' });
