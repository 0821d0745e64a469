import { fieldBelow, stepTo } from '../field-name.ts';
import type { PathPart } from './flatten.ts';

/** Returns a field as an expression over all rows. Array positions are omitted, since JSONata maps over arrays. */
export function fieldPath(path: readonly PathPart[]): string {
  const names = path.filter((part) => typeof part === 'string');
  return names.length === 0 ? '' : fieldBelow(names);
}

/** Returns one value as an expression: `$[0].payload.headers[2].name`. */
export function valuePath(path: readonly PathPart[]): string {
  return `$${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${stepTo(part)}`)).join('')}`;
}
