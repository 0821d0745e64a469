/** A range of a text, UTF-16 units. */
export interface Range {
  from: number;
  to: number;
}

interface Frame {
  isObject: boolean;
  path: readonly string[];
  /** Name of the member that is being read; undefined before it. */
  key: string | undefined;
  /** Position in a list. */
  index: number;
}

/** A value of the text: where it is marked, and what it is if it is a scalar. */
interface Place extends Range {
  scalar: string | undefined;
}

/** What a text holds at each path, e.g. `entities.0.id`. */
export interface Positions {
  places: ReadonlyMap<string, Place>;
  /** The objects and lists that enclose the position that was asked for, the innermost last. */
  frames: readonly Frame[];
  /** The token at the position, if there is one. */
  word: (Range & { text: string }) | undefined;
}

/** Matches the tokens of JSON, also unfinished ones. */
export const JSON_TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\]:,]|[^\s{}[\]:,"]+/g;

function textOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replaceAll('"', '');
  }
}

const childPath = (frame: Frame | undefined): readonly string[] =>
  frame === undefined ? [] : [...frame.path, frame.isObject ? (frame.key ?? '') : String(frame.index)];

/**
 * Finds the places of all values in a JSON text, which may have errors.
 * @param at position of the cursor, for `frames` and `word`
 */
export function positionsIn(text: string, at = -1): Positions {
  const places = new Map<string, Place>();
  const stack: Frame[] = [];
  let frames: readonly Frame[] | undefined;
  let word: Positions['word'];
  /** Where the name of the current member is. */
  let named: Range | undefined;
  const snapshot = () => {
    frames ??= stack.map((frame) => ({ ...frame }));
  };
  const add = (range: Range, scalar?: string) => {
    const path = childPath(stack.at(-1)).join('.');
    if (path !== '') places.set(path, { ...(scalar === undefined && named ? named : range), scalar });
    named = undefined;
  };
  for (const match of text.matchAll(JSON_TOKEN)) {
    const [token] = match;
    const range = { from: match.index, to: match.index + token.length };
    const top = stack.at(-1);
    const isWord = !/^[{}[\]:,]$/.test(token);
    if (at >= 0 && frames === undefined) {
      if (isWord ? range.from < at && at <= range.to : false) {
        word = { ...range, text: token };
        snapshot();
      } else if (range.from >= at) {
        if (isWord && range.from === at) word = { ...range, text: token };
        snapshot();
      }
    }
    if (token === '{' || token === '[') {
      add(range);
      stack.push({ isObject: token === '{', path: childPath(top), key: undefined, index: 0 });
    } else if (token === '}' || token === ']') stack.pop();
    else if (token === ',') {
      if (top?.isObject) top.key = undefined;
      else if (top) top.index++;
    } else if (token !== ':') {
      if (top?.isObject && top.key === undefined) {
        top.key = textOf(token);
        named = range;
      } else add(range, textOf(token));
    }
  }
  snapshot();
  return { places, frames: frames ?? [], word };
}

/** Returns where a path is in a text, or else the longest part of it that is there. */
export function rangeOf({ places }: Positions, path: string): Range | undefined {
  for (let part = path; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('.')))) {
    const place = places.get(part);
    if (place) return { from: place.from, to: place.to };
  }
  return undefined;
}
