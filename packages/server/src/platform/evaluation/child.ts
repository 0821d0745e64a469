/**
 * The process that evaluates expressions. It has no environment, no file access except its code, and a memory limit; its
 * parent kills it after the deadline. It keeps one set of parsed rows.
 */
import { once } from 'node:events';
import { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import {
  compile,
  compileJoinKeys,
  compileRowFilter,
  JsonataError,
  LIMIT_CODES,
  QUERY_LIMITS,
} from '@datadeck/jsonata';
import { dropPrivileges } from './drop-privileges.ts';
import {
  type EvaluationFailure,
  type EvaluationRequest,
  type Extent,
  type FromChild,
  LINES_END,
  MAX_JOIN_KEYS,
  MAX_LOADED_BYTES,
  type Operand,
  type ToChild,
} from './protocol.ts';
import { itemsOf, resultLines } from './result-lines.ts';
import { RowParser } from './row-parser.ts';
import { sortItems, UnsortableError } from './sort-items.ts';

/** Idle time after which the process frees memory. */
const IDLE_MS = 5000;
/** Memory of an idle process, beside its rows, above which it is returned to the system, bytes. */
const MAX_IDLE_BYTES = 96 * 1024 * 1024;
/** File descriptor of the pipe for rows and results. */
const DATA_FD = 4;

const TOO_MANY_ROWS = `The rows that it selects are more than ${MAX_LOADED_BYTES / 1024 / 1024} MB.`;

dropPrivileges();

/** The rows that the process keeps: one list, or several of a set. */
let loaded: { key: string; lists: readonly (readonly unknown[])[] } | undefined;
/** The lists of a set of which others are still to arrive, and their size, bytes of JSON. */
let earlier: { lists: (readonly unknown[])[]; bytes: number } = { lists: [], bytes: 0 };

/** Rows that arrive through the pipe, and what to do once the announced number of bytes has arrived. */
interface RowIntake {
  rows: unknown[];
  parser: RowParser;
  /** Size of the kept rows, bytes of JSON. */
  bytes: number;
  announced?: { bytes: number; finish(): void };
}

let intake = newIntake((some) => some);

/** @param select returns the rows to keep of those that have arrived */
function newIntake(select: (rows: unknown[]) => readonly unknown[]): RowIntake {
  const next: RowIntake = { rows: [], bytes: 0, parser: new RowParser(keep) };
  function keep(some: unknown[], bytes: number): void {
    // The rest only needs to be read.
    if (next.bytes + earlier.bytes > MAX_LOADED_BYTES) return;
    const kept = select(some);
    next.bytes += (bytes * kept.length) / Math.max(1, some.length);
    if (next.bytes + earlier.bytes > MAX_LOADED_BYTES) next.rows = [];
    else next.rows.push(...kept);
  }
  return next;
}

/** Selects the next rows by the filters of an expression. */
function filter({ expression, bindings }: Extract<ToChild, { type: 'filter' }>): void {
  const select = compileRowFilter(expression, { ...QUERY_LIMITS, steps: Number.MAX_SAFE_INTEGER });
  if (select === undefined) throw new Error('the expression has no filter');
  loaded = undefined;
  intake = newIntake((rows) => select(rows, bindings));
  send({ type: 'filtering' });
}

function send(message: FromChild): void {
  process.send?.(message);
}

const pipe = new Socket({ fd: DATA_FD, readable: true, writable: true });
pipe.on('data', (piece) => {
  // Rows of another set would only take memory from the new ones.
  loaded = undefined;
  intake.parser.add(piece);
  finishIntake();
});

function finishIntake(): void {
  const { announced, parser } = intake;
  if (announced !== undefined && parser.bytesReceived >= announced.bytes) announced.finish();
}

function load({ key, bytes, list, isLast }: Extract<ToChild, { type: 'load' }>): void {
  const finish = () => {
    const before = list === 0 ? { lists: [], bytes: 0 } : earlier;
    const lists = [...before.lists, intake.rows];
    const kept = before.bytes + intake.bytes;
    const isTooLarge = kept > MAX_LOADED_BYTES;
    earlier = isLast || isTooLarge ? { lists: [], bytes: 0 } : { lists, bytes: kept };
    intake = newIntake((some) => some);
    if (isTooLarge) return sendFailure(new RangeError(TOO_MANY_ROWS));
    loaded = isLast ? { key, lists } : undefined;
    send({ type: 'loaded' });
  };
  intake.announced = { bytes, finish };
  finishIntake();
}

/** Evaluates a chain over the loaded rows. */
function evaluate({ key, plan, chain, bindings, deadlineMs }: EvaluationRequest): {
  value: unknown;
  rows: number;
} {
  const end = performance.now() + deadlineMs;
  if (loaded?.key !== key) throw new Error('the rows are not loaded');
  const { lists } = loaded;
  const limitsNow = () => ({ ...QUERY_LIMITS, timeMs: Math.round(end - performance.now()) });
  const evaluateOne = (expression: string, input: unknown, variables: Record<string, unknown>): unknown => {
    if (expression.trim() === '') return input;
    const limits = limitsNow();
    return compile(expression, limits).evaluate(input, variables);
  };
  const results: unknown[] = [];
  const operandValue = (operand: Operand) =>
    'list' in operand ? lists[operand.list] : results[operand.step];
  for (const { expression, input, variables, keysOf } of plan ?? []) {
    const values = Object.entries(variables).map(([name, operand]) => [name, operandValue(operand)]);
    const all = { ...bindings, ...(Object.fromEntries(values) as Record<string, unknown>) };
    if (keysOf === undefined) results.push(evaluateOne(expression, operandValue(input), all));
    else {
      const keys = compileJoinKeys(expression, keysOf, { ...limitsNow(), most: MAX_JOIN_KEYS });
      const found = keys?.(operandValue(input), all);
      results.push(found && [found]);
    }
  }
  let value: unknown = plan ? results.at(-1) : lists[0];
  for (const expression of chain) value = evaluateOne(expression, value, bindings);
  return { value, rows: lists.reduce((sum, { length }) => sum + length, 0) };
}

/** Evaluates a chain, sorts its result, and sends what is known of its result. @returns the result's items */
function run(request: EvaluationRequest): readonly unknown[] {
  const started = performance.now();
  const { value, rows } = evaluate(request);
  const items = request.sort && Array.isArray(value) ? sortItems(value, request.sort) : itemsOf(value);
  const elapsedMs = Math.round((performance.now() - started) * 10) / 10;
  send({ type: 'evaluated', count: items.length, isArray: Array.isArray(value), rows, elapsedMs });
  return items;
}

async function writeLines(items: readonly unknown[], extent: Extent): Promise<void> {
  const lines = resultLines(items, extent);
  let next = lines.next();
  for (; !next.done; next = lines.next()) await write(next.value);
  await write(Buffer.from([LINES_END]));
  await write(Buffer.from(`${JSON.stringify(next.value)}\n`));
}

async function write(chunk: Buffer): Promise<void> {
  if (!pipe.write(chunk)) await once(pipe, 'drain');
}

const LIMITS = new Set<string>(Object.values(LIMIT_CODES));

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
  return {
    kind:
      error instanceof UnsortableError
        ? 'unsortable'
        : error instanceof RangeError
          ? 'too-complex'
          : 'failed',
    code: '',
    message: error instanceof Error ? error.message : String(error),
    position: null,
  };
}

/** Collects garbage, and returns memory to the system: V8 keeps the pages of a heap that has shrunk. */
function collect(): void {
  if (process.memoryUsage.rss() < MAX_IDLE_BYTES) return;
  globalThis.gc?.();
  if (process.memoryUsage.rss() - getHeapStatistics().used_heap_size > MAX_IDLE_BYTES)
    globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
}

const idleTimer = setTimeout(collect, IDLE_MS).unref();

/** Runs the work of a request; sends a failure as the answer. */
function answer<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    sendFailure(error);
    return undefined;
  }
}

function sendFailure(error: unknown): void {
  const failure = failureOf(error);
  send({ type: 'failure', failure });
  // Collect the garbage of the failed evaluation now, to keep the total memory of all processes small.
  if (failure.kind === 'too-complex') setImmediate(collect);
}

async function handle(message: ToChild): Promise<void> {
  if (message.type === 'load') load(message);
  else if (message.type === 'filter') answer(() => filter(message));
  else if (message.type === 'check') {
    answer(() => {
      compile(message.expression);
      send({ type: 'checked' });
    });
  } else {
    const items = answer(() => run(message));
    // A failure from here on ends the process, since its parent already reads the lines.
    if (items) await writeLines(items, message.extent);
  }
  // The next request is likely to use the rows, so restart the idle timer.
  idleTimer.refresh();
}

process.on('message', (message: ToChild) => void handle(message));
process.on('disconnect', () => process.exit(0));
send({ type: 'ready' });
