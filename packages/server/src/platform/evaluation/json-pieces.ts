/** Text that is written in one piece at most, UTF-16 units before escapes. */
const MAX_PIECE = 64 * 1024;
/** Levels that are written in one piece at most. */
const MAX_LEVELS = 64;

/**
 * Weighs the JSON text of a value, UTF-16 units without escapes: what occurs twice weighs twice, names weigh as texts do.
 * Stops as soon as the weight is more than `most`, so that a value that many others share costs no more than its share.
 * @returns the weight, or infinity when it is more than `most` or the value is nested deeper than `levels`
 */
export function weigh(value: unknown, maxWeight: number, levels = Number.POSITIVE_INFINITY): number {
  // One level of the value: its members, and how many of them are weighed.
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

/** A container that is being written. */
interface Level {
  readonly names: readonly string[] | undefined;
  readonly members: readonly unknown[];
  at: number;
}

/**
 * Writes a value as JSON in pieces of bounded length, however large or deep it is: no text of the whole is ever made.
 * Functions and nothing become null in an array and are left out of an object, as by `JSON.stringify`.
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

/** Writes a value that is small, or opens it. */
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

/** Cuts a text into pieces of bounded length, never between the halves of a surrogate pair. */
export function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + MAX_PIECE, text.length);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    yield text.slice(at, end);
    at = end;
  }
}
