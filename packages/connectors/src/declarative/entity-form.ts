import { createHash } from 'node:crypto';
import type { DocumentEntity } from '@datadeck/contract/connector-document';

/** Returns what names the way in which an entity is read: positions and ids of another way mean other records. */
export function formOf({
  request,
  records,
  pagination,
  key,
  add,
  sortedBy,
  incremental,
  parent,
  parts,
  settings,
}: DocumentEntity): string {
  const names = settings.map(({ name }) => name);
  const way = [request, records, pagination, key, add, sortedBy, incremental, parent, names];
  // Entities without parts keep their form.
  if (parts !== undefined) way.push(parts);
  return createHash('sha256').update(JSON.stringify(way)).digest('base64url').slice(0, 16);
}
