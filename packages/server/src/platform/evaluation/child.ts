/**
 * The process that evaluates expressions: no environment, no file system beyond the code, a memory cap, killed past
 * the deadline by its parent. Keeps parsed rows and results, the least recently used go first.
 */
import { Socket } from 'node:net';
import { compile, JsonataError, LIMIT_CODES, QUERY_LIMITS } from '@datadeck/jsonata';
import { giveUpRights } from './give-up-rights.ts';
import { weigh } from './json-pieces.ts';
import { Memory, rest } from './memory.ts';
import { outputChunks, TooMuchTextError } from './output.ts';
import type { EvaluationFailure, EvaluationRequest, FromChild, ToChild } from './protocol.ts';
import { RowParser } from './rows.ts';

/** After so long without work a process gives back what it can. */
const REST_MS = 5000;
/** The pipe that rows come through. */
const ROWS_FD = 4;

giveUpRights();

const memory = new Memory();
const streams = new Map<number, Generator<string>>();
let parser = new RowParser();
let awaited: Extract<ToChild, { type: 'load' }> | undefined;

function send(message: FromChild): void {
  process.send?.(message);
}

/** Keeps the rows once all that were announced have come. */
function finishLoading(): void {
  if (awaited === undefined || parser.taken < awaited.bytes) return;
  const { key, family, bytes } = awaited;
  const forgotten = memory.keep(key, { family, rows: parser.rows, size: bytes });
  parser = new RowParser();
  awaited = undefined;
  send({ type: 'loaded', key, forgotten });
}

const pipe = new Socket({ fd: ROWS_FD, readable: true, writable: false });
pipe.on('data', (piece) => {
  parser.add(piece);
  finishLoading();
});

/** The result of a chain, in one pass; a chain's beginnings are results too, so views upon views share them. */
function evaluate(request: EvaluationRequest): unknown {
  const end = performance.now() + request.deadlineMs;
  const rows = memory.rows(request.key);
  const ids = [`${request.key}\n${JSON.stringify(request.bindings)}`];
  for (const expression of request.chain) ids.push(`${ids.at(-1)}\n${JSON.stringify(expression)}`);
  const known = ids.findLastIndex((id, step) => step > 0 && memory.hasResult(id));
  let value = known > 0 ? memory.result(ids[known] as string) : rows;
  for (let step = Math.max(known, 0); step < request.chain.length; step++) {
    const expression = request.chain[step] as string;
    if (expression.trim() !== '') {
      const limits = { ...QUERY_LIMITS, timeMs: Math.round(end - performance.now()) };
      value = compile(expression, limits).evaluate(value, request.bindings);
    }
    memory.keepResult(ids[step + 1] as string, value);
  }
  return value;
}

function sendPage(request: Extract<ToChild, { type: 'page' }>): void {
  const started = performance.now();
  const value = evaluate(request);
  const isArray = Array.isArray(value);
  const items = isArray ? value : value === undefined ? [] : [value];
  const text = pageText(items.slice(request.offset, request.offset + request.limit), request.mostText);
  send({
    type: 'page',
    id: request.id,
    text,
    count: items.length,
    isArray,
    rows: memory.rows(request.key).length,
    elapsedMs: Math.round((performance.now() - started) * 10) / 10,
  });
}

/** Weighs the page first: text of a hundred times its length is never made. @throws TooMuchTextError */
function pageText(items: readonly unknown[], most: number): string {
  const text = weigh(items, most) <= most ? JSON.stringify(items) : undefined;
  if (text !== undefined && text.length <= most) return text;
  throw new TooMuchTextError(`The page of the result is longer than ${Math.round(most / 1024 / 1024)} MB.`);
}

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
  const tooLarge = error instanceof RangeError || error instanceof TooMuchTextError;
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

const resting = setTimeout(() => rest(memory), REST_MS).unref();

process.on('message', (message: ToChild) => {
  try {
    if (message.type === 'load') {
      awaited = message;
      finishLoading();
    } else if (message.type === 'page') sendPage(message);
    else if (message.type === 'more') advance(message.id);
    else if (message.type === 'check') {
      compile(message.expression);
      send({ type: 'checked', id: message.id });
    } else {
      streams.set(message.id, outputChunks(evaluate(message), message.format, message.mostBytes));
      advance(message.id);
    }
  } catch (error) {
    if (!('id' in message)) throw error;
    streams.delete(message.id);
    const failure = failureOf(error);
    send({ type: 'failure', id: message.id, failure });
    // What it has built is garbage: the heaps of all processes together must stay small.
    if (failure.kind === 'too-complex') setImmediate(() => rest(memory));
  } finally {
    resting.refresh();
  }
});
process.on('disconnect', () => process.exit(0));
send({ type: 'ready' });
