import type { PathPart } from './flatten.ts';

const PLAIN_NAME = /^[A-Za-z_]\w*$/;

function quoted(name: string): string {
  return PLAIN_NAME.test(name) ? name : `\`${name.replaceAll('`', '')}\``;
}

/** Returns a field as an expression over all rows. Array positions are omitted, since JSONata maps over arrays. */
export function fieldPath(path: readonly PathPart[]): string {
  return path
    .filter((part) => typeof part === 'string')
    .map(quoted)
    .join('.');
}

/** Returns one value as an expression: `$[0].payload.headers[2].name`. */
export function valuePath(path: readonly PathPart[]): string {
  return `$${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${quoted(part)}`)).join('')}`;
}
