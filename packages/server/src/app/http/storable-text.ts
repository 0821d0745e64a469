import { isStorable } from '@datadeck/connectors';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import { MAX_FIELDS, shortPath } from './wrong-fields.ts';

const MESSAGE = 'Contains characters that cannot be stored';
/**
 * Fields that are evaluated but not stored, by URL. They may contain any text; values that reach the database are
 * checked there.
 */
const NOT_STORED_FIELDS: Record<string, string> = { '/api/data/query': 'jsonNataQuery' };

/**
 * Returns the dotted paths of the first fields with text that cannot be stored. A bad member name is reported for its
 * parent. Uses an explicit stack, because a body may be nested deeper than the call stack allows.
 */
export function unstorableFields(part: unknown, name: string): string[] {
  const found = new Set<string>();
  const report = (path: string) => found.add(shortPath(path || name));
  const stack: { value: unknown; path: string }[] = [{ value: part, path: '' }];
  for (let next = stack.pop(); next !== undefined && found.size < MAX_FIELDS; next = stack.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !isStorable(value)) report(path);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) report(path);
      else stack.push({ value: inner, path: path === '' ? shortPath(key) : shortPath(`${path}.${key}`) });
    }
  }
  return [...found];
}

/**
 * Rejects text that PostgreSQL cannot store, once for all routes. Runs after the access check. Skips the sandbox, which
 * responds as the real providers do.
 * @throws AppError validation-failed
 */
export async function rejectUnstorableText(request: FastifyRequest): Promise<void> {
  const { url = '' } = request.routeOptions;
  if (url.startsWith('/sandbox')) return;
  // The path of a file is checked by the file server.
  const { '*': _file, ...params } = (request.params ?? {}) as Record<string, unknown>;
  const fields = [
    ...unstorableFields(params, 'address'),
    ...unstorableFields(request.query, 'query'),
    ...unstorableFields(request.body, 'body'),
  ].filter((field) => field !== NOT_STORED_FIELDS[url]);
  if (fields.length === 0) return;
  throw new AppError('validation-failed', 'The request is not valid.', {
    fields: Object.fromEntries(fields.map((field) => [field, MESSAGE])),
  });
}
