/** Longest text written in one piece, UTF-16 units before escapes. */
const MAX_PIECE = 64 * 1024;
/** Deepest nesting written in one piece. */
const MAX_LEVELS = 64;

/**
 * Estimates the length of a value's JSON text, UTF-16 units without escapes; counts repeated values each time. Stops at
 * `maxWeight`, so that the cost is bounded.
 * @returns the length, or infinity above `maxWeight` or when nested deeper than `levels`
 */
export function weigh(value: unknown, maxWeight: number, levels = Number.POSITIVE_INFINITY): number {
  // Stack of open levels: their members, and the number of members counted.
  const open: { members: readonly unknown[]; at: number }[] = [];
  let weight = 0;
  let next: unknown = value;
  for (;;) {
    weight += typeof next === 'string' ? next.length + 2 : 5;
    if (typeof next === 'object' && next !== null) {
      if (open.length >= levels) return Number.POSITIVE_INFINITY;
      if (!Array.isArray(next)) for (const key of Object.keys(next)) weight += key.length + 3;
      open.push({ members: Array.isArray(next) ? next : Object.values(next), at: 0 });
    }
    if (weight > maxWeight) return Number.POSITIVE_INFINITY;
    for (;;) {
      const level = open.at(-1);
      if (level === undefined) return weight;
      if (level.at < level.members.length) {
        next = level.members[level.at++];
        break;
      }
      open.pop();
    }
  }
}

/** An array or object being written. */
interface Level {
  readonly names: readonly string[] | undefined;
  readonly members: readonly unknown[];
  at: number;
}

/**
 * Yields the JSON text of a value in pieces of bounded length, for any size and depth. Treats functions and undefined like
 * `JSON.stringify`: null in arrays, omitted in objects.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  const open: Level[] = [];
  yield* begin(value, open);
  for (;;) {
    const level = open.at(-1);
    if (level === undefined) return;
    const at = level.at++;
    if (at >= level.members.length) {
      open.pop();
      yield level.names === undefined ? ']' : '}';
      continue;
    }
    if (at > 0) yield ',';
    const name = level.names?.[at];
    if (name !== undefined) {
      yield* begin(name, open);
      yield ':';
    }
    yield* begin(level.members[at], open);
  }
}

/** Yields a small value, or opens a large one. */
function* begin(value: unknown, open: Level[]): Generator<string> {
  if (typeof value === 'string' && value.length > MAX_PIECE) yield* longText(value);
  else if (typeof value !== 'object' || value === null || weigh(value, MAX_PIECE, MAX_LEVELS) <= MAX_PIECE)
    yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) {
    open.push({ names: undefined, members: value, at: 0 });
    yield '[';
  } else {
    const members = Object.entries(value).filter(([, member]) => isWritten(member));
    open.push({ names: members.map(([name]) => name), members: members.map(([, member]) => member), at: 0 });
    yield '{';
  }
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function* longText(text: string): Generator<string> {
  yield '"';
  for (const slice of slices(text)) yield JSON.stringify(slice).slice(1, -1);
  yield '"';
}

/** Yields slices of a text of bounded length; never splits a surrogate pair. */
export function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + MAX_PIECE, text.length);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    yield text.slice(at, end);
    at = end;
  }
}
