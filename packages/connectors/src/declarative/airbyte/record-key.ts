import type { Component } from './component.ts';
import { stepOf } from './jinja/code.ts';

/** Field under which a record keeps its own `id` where its key is another one: the product sets `id` to the key. */
export const SOURCE_ID = 'sourceId';

/** Returns the expression of the key of a stream's records: that of several fields is their JSON, without one that of the record. */
export function keyOf({ primary_key: key }: Component): string {
  const parts = (Array.isArray(key) ? key : key ? [key] : []).map((part) =>
    (Array.isArray(part) ? part : [part]).map((name) => stepOf(String(name))).join('.'),
  );
  if (parts.length === 0) return '$hash($string(record), "sha256")';
  if (parts.length === 1) return `record.${parts[0]}`;
  return `$string([${parts.map((part) => `record.${part} ?? null`).join(', ')}])`;
}

/** Returns the name of a field in a stored record of a stream: `sourceId` for an `id` that is not the key, else its own name. */
export function nameInRecord(stream: Component, field: string): string {
  return field === 'id' && keyOf(stream) !== 'record.id' ? SOURCE_ID : field;
}
