/**
 * The process that evaluates expressions. It has no environment, no file access except its code, and a memory limit; its
 * parent kills it after the deadline. It caches parsed rows and results (least recently used are evicted).
 */
import { Socket } from 'node:net';
import { compile, JsonataError, LIMIT_CODES, QUERY_LIMITS } from '@datadeck/jsonata';
import { dropPrivileges } from './drop-privileges.ts';
import { weigh } from './json-pieces.ts';
import { freeMemory, Memory } from './memory.ts';
import { outputChunks, TooMuchTextError } from './output.ts';
import type { EvaluationFailure, EvaluationRequest, FromChild, ToChild } from './protocol.ts';
import { ResultList, ResultTooLargeError } from './result-list.ts';
import { RowParser } from './rows.ts';
import { NeedsAllRowsError, StreamedRun, TooMuchStateError } from './streamed-run.ts';

/** Idle time after which the process frees memory. */
const IDLE_MS = 5000;
/** File descriptor of the pipe for rows. */
const ROWS_FD = 4;

dropPrivileges();

const memory = new Memory();
const streams = new Map<number, Generator<string>>();

/** Rows being received through the pipe, to be cached or streamed through a chain. */
interface RowIntake {
  parser: RowParser;
  rows: unknown[];
  run?: StreamedRun;
  /** First error of a streamed run; later rows are discarded. */
  error?: unknown;
  /** The announced number of bytes, and the function to call when they have arrived. */
  announced?: { bytes: number; finish(): void };
}

let intake = newIntake();

function send(message: FromChild): void {
  process.send?.(message);
}

function newIntake(run?: StreamedRun): RowIntake {
  const rows: unknown[] = [];
  if (run === undefined) return { rows, parser: new RowParser((some) => void rows.push(...some)) };
  return { rows, run, parser: new RowParser((some) => run.push(some)) };
}

function receive(piece: Buffer): void {
  const { parser, run } = intake;
  if (intake.error !== undefined) parser.bytesReceived += piece.length;
  else
    try {
      parser.add(piece);
    } catch (error) {
      if (run === undefined) throw error;
      intake.error = error;
      send({ type: 'enough' });
    }
  finishIntake();
}

/** Calls `finish` once all announced bytes have arrived. */
function finishIntake(): void {
  const { announced, parser } = intake;
  if (announced === undefined || parser.bytesReceived < announced.bytes) return;
  announced.finish();
}

function load({ key, family, bytes }: Extract<ToChild, { type: 'load' }>): void {
  const { rows } = intake;
  const finish = () => {
    intake = newIntake();
    send({ type: 'loaded', key, forgotten: memory.keep(key, { family, rows, size: bytes }) });
  };
  intake.announced = { bytes, finish };
  finishIntake();
}

function begin(request: Extract<ToChild, { type: 'begin' }>): void {
  const { id, key, family } = request;
  const isCached = memory.hasResult(idsOf(request).at(-1) as string);
  if (!isCached) intake = newIntake(new StreamedRun(request.chain, request.bindings, request.deadlineMs));
  streamed = request;
  const forgotten = isCached ? [] : memory.keep(key, { family, size: 0 });
  send({ type: 'begun', id, isCached, forgotten });
}

let streamed: EvaluationRequest | undefined;

function end({ id, bytes }: Extract<ToChild, { type: 'end' }>): void {
  const { run } = intake;
  const request = streamed;
  if (run === undefined || request === undefined) throw new Error('nothing was begun');
  const finish = () => {
    const { error } = intake;
    intake = newIntake();
    answer(id, () => {
      if (error !== undefined) throw error;
      memory.keepResult(idsOf(request).at(-1) as string, run.finish());
      send({ type: 'streamed', id });
    });
  };
  intake.announced = { bytes, finish };
  finishIntake();
}

const pipe = new Socket({ fd: ROWS_FD, readable: true, writable: false });
pipe.on('data', receive);

/** Returns the cache ids of the results of a chain and of its prefixes. */
function idsOf({ key, bindings, chain }: EvaluationRequest): string[] {
  const ids = [`${key}\n${JSON.stringify(bindings)}`];
  for (const expression of chain) ids.push(`${ids.at(-1)}\n${JSON.stringify(expression)}`);
  return ids;
}

/** Evaluates a chain. Caches the result of each prefix, which views based on other views share. */
function evaluate(request: EvaluationRequest): { value: unknown; rows: number } {
  const end = performance.now() + request.deadlineMs;
  const ids = idsOf(request);
  const cachedStep = ids.findLastIndex(
    (id, step) => (step > 0 || request.chain.length === 0) && memory.hasResult(id),
  );
  let result = cachedStep >= 0 ? memory.result(ids[cachedStep] as string) : undefined;
  if (result === undefined) {
    const rows = memory.rows(request.key);
    result = { value: rows, rows: rows.length };
  }
  for (let step = Math.max(cachedStep, 0); step < request.chain.length; step++) {
    const expression = request.chain[step] as string;
    if (expression.trim() !== '') {
      const limits = { ...QUERY_LIMITS, timeMs: Math.round(end - performance.now()) };
      result = { ...result, value: compile(expression, limits).evaluate(result.value, request.bindings) };
    }
    memory.keepResult(ids[step + 1] as string, result);
  }
  return result;
}

function sendPage(request: Extract<ToChild, { type: 'page' }>): void {
  const started = performance.now();
  const { value, rows } = evaluate(request);
  const { offset, limit, maxText, id } = request;
  const items =
    value instanceof ResultList || Array.isArray(value) ? value : value === undefined ? [] : [value];
  const text =
    items instanceof ResultList
      ? checkedText(`[${items.slice(offset, limit).join(',')}]`, maxText)
      : pageText(items.slice(offset, offset + limit), maxText);
  send({
    type: 'page',
    id,
    text,
    count: items.length,
    isArray: items === value,
    rows,
    elapsedMs: Math.round((performance.now() - started) * 10) / 10,
  });
}

/** Serialises a page after estimating its size, so that oversized texts are never built. @throws TooMuchTextError */
function pageText(items: readonly unknown[], maxText: number): string {
  return checkedText(weigh(items, maxText) <= maxText ? JSON.stringify(items) : undefined, maxText);
}

function checkedText(text: string | undefined, maxText: number): string {
  if (text !== undefined && text.length <= maxText) return text;
  throw new TooMuchTextError(
    `The page of the result is longer than ${Math.round(maxText / 1024 / 1024)} MB.`,
  );
}

const LIMITS = new Set<string>(Object.values(LIMIT_CODES));
const TOO_LARGE = [RangeError, TooMuchTextError, ResultTooLargeError, TooMuchStateError];

/** Converts an error. Engine limits have their own codes; codes of syntax errors start with S. */
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
  const isTooLarge = TOO_LARGE.some((type) => error instanceof type);
  return {
    kind: error instanceof NeedsAllRowsError ? 'needs-all-rows' : isTooLarge ? 'too-complex' : 'failed',
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

const idleTimer = setTimeout(() => freeMemory(memory), IDLE_MS).unref();

/** Runs the work of a request; sends a failure as the response. */
function answer(id: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    streams.delete(id);
    const failure = failureOf(error);
    send({ type: 'failure', id, failure });
    // Collect the garbage of the failed evaluation now, to keep the total memory of all processes small.
    if (failure.kind === 'too-complex') setImmediate(() => freeMemory(memory));
  } finally {
    // The next request is likely to use the result, so restart the idle timer.
    idleTimer.refresh();
  }
}

function handle(message: ToChild): void {
  if (message.type === 'load') load(message);
  else if (message.type === 'begin') begin(message);
  else if (message.type === 'end') end(message);
  else if (message.type === 'page') sendPage(message);
  else if (message.type === 'more') advance(message.id);
  else if (message.type === 'check') {
    compile(message.expression);
    send({ type: 'checked', id: message.id });
  } else {
    streams.set(message.id, outputChunks(evaluate(message).value, message.format, message.maxBytes));
    advance(message.id);
  }
}

process.on('message', (message: ToChild) => {
  if ('id' in message) answer(message.id, () => handle(message));
  else handle(message);
  idleTimer.refresh();
});
process.on('disconnect', () => process.exit(0));
send({ type: 'ready' });
