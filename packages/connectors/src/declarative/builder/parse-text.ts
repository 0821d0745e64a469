import { LineCounter, parseDocument } from 'yaml';

/** Deepest nesting of a text that people write. */
const MAX_DEPTH = 64;
/** Most values of a text, also after its aliases are resolved. */
const MAX_VALUES = 200_000;
/** Most uses of an anchor of YAML: aliases of aliases fill memory. */
const MAX_ALIASES = 100;

/** Thrown for a text that is neither JSON nor YAML, or too deep or large; the message is a sentence with line and column. */
export class TextError extends Error {}

/** @throws TextError for a value that is nested too deep or has too many values */
function requireBounded(root: unknown): void {
  let level = [root];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > MAX_DEPTH) throw new TextError(`The text has more than ${MAX_DEPTH} levels.`);
    if (values > MAX_VALUES)
      throw new TextError(`The text has more than ${MAX_VALUES.toLocaleString('en')} values.`);
    const next: unknown[] = [];
    for (const value of level)
      if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value)) next.push(inner);
    level = next;
  }
}

function parseYaml(text: string): unknown {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
  const [error] = parsed.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const message = error.message.replace(/\s+/g, ' ').slice(0, 200);
    throw new TextError(`Line ${line}, column ${col}: ${message}${/[.!?]$/.test(message) ? '' : '.'}`);
  }
  return parsed.toJS({ maxAliasCount: MAX_ALIASES });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON or YAML with at most 64 levels and 200,000 values. Runs in a thread.
 * @throws TextError that names line and column of a fault
 */
export function parseText(text: string): unknown {
  try {
    const value = /^\s{0,1000}[{[]/.test(text) ? (parseJson(text) ?? parseYaml(text)) : parseYaml(text);
    requireBounded(value);
    return value;
  } catch (error) {
    if (error instanceof TextError) throw error;
    // The parser is recursive, and refuses aliases without a position.
    const isDeep = error instanceof RangeError;
    throw new TextError(
      isDeep
        ? `The text has more than ${MAX_DEPTH} levels.`
        : 'The text has too many aliases, or one without its anchor.',
    );
  }
}
