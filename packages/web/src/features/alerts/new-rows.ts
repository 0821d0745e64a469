import type { MarkedDelivery } from '@datadeck/contract';
import { isRecord } from '@datadeck/contract/table-columns';

type Marks = Pick<MarkedDelivery, 'keyField' | 'newKeys' | 'changes'>;

function isSimple(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Returns the key by which the server identifies a row; undefined if it has none. */
function keyOf(row: unknown, keyFields: readonly string[]): string | undefined {
  if (!isRecord(row)) return undefined;
  const name = keyFields.find((one) => Object.hasOwn(row, one) && isSimple(row[one]) && row[one] !== '');
  return name === undefined ? undefined : String(row[name]);
}

/** Returns whether a value is the one of an excerpt, which ends with an ellipsis where it was cut. */
function isExcerptOf(excerpt: unknown, value: unknown): boolean {
  if (excerpt === value) return true;
  if (typeof excerpt !== 'string' || typeof value !== 'string' || !excerpt.endsWith('…')) return false;
  return value.toWellFormed().startsWith(excerpt.slice(0, -1));
}

function matches(excerpt: unknown, row: unknown): boolean {
  if (!isRecord(excerpt)) return isExcerptOf(excerpt, row);
  const fields = Object.entries(excerpt);
  return isRecord(row) && fields.length > 0 && fields.every(([name, text]) => isExcerptOf(text, row[name]));
}

/** Returns a function that returns whether a row appeared in a delivery: by its key, else by its excerpt in the message. */
export function newRowTest({ keyField, newKeys, changes }: Marks): (row: unknown) => boolean {
  const keyFields = keyField === null ? ['_id', 'id'] : [keyField];
  const keys = new Set(newKeys);
  const withoutKey = changes.rows.filter(({ kind, key }) => kind === 'appeared' && key === null);
  return (row) => {
    const key = keyOf(row, keyFields);
    return key === undefined ? withoutKey.some((one) => matches(one.row, row)) : keys.has(key);
  };
}
