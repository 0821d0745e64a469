import { invalidArgument } from './gmail-error.ts';

type Mask = Map<string, Mask>;

/** Returns only the fields that a partial-response mask names, e.g. `messages(id,payload/headers),nextPageToken`. */
export function selectFields(value: unknown, mask: string): unknown {
  const tokens = mask.match(/[\w*-]+|[(),/]/g) ?? [];
  if (tokens.join('') !== mask.replace(/\s/g, '')) throw invalidArgument(`Invalid field selection ${mask}`);
  return keep(value, readMask(tokens));
}

function readMask(tokens: string[]): Mask {
  const mask: Mask = new Map();
  while (tokens.length > 0 && tokens[0] !== ')') {
    const name = tokens.shift() ?? '';
    if (name === ',') continue;
    mask.set(name, readChildren(tokens));
  }
  return mask;
}

function readChildren(tokens: string[]): Mask {
  if (tokens[0] === '/') {
    tokens.shift();
    const name = tokens.shift() ?? '';
    return new Map([[name, readChildren(tokens)]]);
  }
  if (tokens[0] !== '(') return new Map();
  tokens.shift();
  const children = readMask(tokens);
  tokens.shift();
  return children;
}

function keep(value: unknown, mask: Mask): unknown {
  if (mask.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => keep(item, mask));
  const kept = Object.entries(value).flatMap(([key, child]) => {
    const below = mask.get(key) ?? mask.get('*');
    return below ? [[key, keep(child, below)]] : [];
  });
  return Object.fromEntries(kept);
}
