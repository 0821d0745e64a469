import { MESSAGES } from './messages.ts';

/** Details of an error; the names are those of the reference implementation. */
export interface ErrorDetail {
  position?: number | undefined;
  token?: unknown;
  value?: unknown;
  value2?: unknown;
  index?: number;
  exp?: unknown;
  type?: string | undefined;
  functionName?: string;
  message?: string;
  /** The error of an inner expression (`$eval`). */
  error?: unknown;
}

/**
 * Any failure to parse or evaluate an expression. `code` is the reference's code (Sxxxx syntax, Txxxx types, Dxxxx
 * evaluation) or one of this engine's own (Lxxxx: a limit or a rejection, listed in `LIMIT_CODES`).
 */
export class JsonataError extends Error {
  code: string;
  /** Offset in the expression, UTF-16 units. */
  position: number | undefined;
  /** Name of the function, operator or token that caused the error. */
  token: unknown;
  value: unknown;
  value2: unknown;
  index: number | undefined;
  exp: unknown;
  type: string | undefined;
  functionName: string | undefined;
  error: unknown;

  constructor(code: string, detail: ErrorDetail = {}) {
    super(detail.message ?? code);
    this.name = 'JsonataError';
    this.code = code;
    this.position = detail.position;
    this.token = detail.token;
    this.value = detail.value;
    this.value2 = detail.value2;
    this.index = detail.index;
    this.exp = detail.exp;
    this.type = detail.type;
    this.functionName = detail.functionName;
    this.error = detail.error;
  }
}

/** Sets the error's message from its code; call it when all fields are set. */
export function describe(error: JsonataError): JsonataError {
  const template = MESSAGES[error.code];
  if (template !== undefined) {
    error.message = template.replace(/\{(\w+)\}/g, (_, field: string) => show(fieldOf(error, field)));
  }
  return error;
}

function fieldOf(error: JsonataError, field: string): unknown {
  return Object.hasOwn(error, field)
    ? (Object.getOwnPropertyDescriptor(error, field)?.value as unknown)
    : undefined;
}

function show(value: unknown): string {
  if (typeof value === 'string' && value.length > 200) return `${JSON.stringify(value.slice(0, 200))}…`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing';
  return Array.isArray(value) ? `an array of ${value.length}` : 'an object';
}

/** Returns whether the call stack was exhausted: in V8 and WebKit, in a regular expression of V8, in Firefox. */
function isStackOverflow(thrown: unknown): boolean {
  if (thrown instanceof RangeError) return thrown.message.startsWith('Maximum call');
  if (thrown instanceof SyntaxError) return thrown.message.endsWith('Stack overflow');
  return (
    thrown instanceof Error && thrown.name === 'InternalError' && thrown.message === 'too much recursion'
  );
}

/** Converts anything thrown inside the engine into a `JsonataError`; a stack overflow becomes the depth limit. */
export function asJsonataError(thrown: unknown): JsonataError {
  if (thrown instanceof JsonataError) return thrown;
  if (isStackOverflow(thrown)) return new JsonataError('D1011');
  if (thrown instanceof RangeError) return new JsonataError('L1002', { error: thrown });
  if (isCoded(thrown)) return new JsonataError(thrown.code, thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new JsonataError('L1000', { message, error: thrown });
}

/** Runs a function of the engine. @throws JsonataError with its message, for any error thrown inside */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw describe(asJsonataError(thrown));
  }
}

function isCoded(thrown: unknown): thrown is ErrorDetail & { code: string } {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string';
}
