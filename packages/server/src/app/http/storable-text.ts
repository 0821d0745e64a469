import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import { MOST_FIELDS, shortPath } from './wrong-fields.ts';

const MESSAGE = 'Contains characters that cannot be stored';
/** Expressions that are run and not stored may hold any text; what of them reaches the database is checked there. */
const ONLY_RUN: Record<string, string> = { '/api/data/query': 'jsonNataQuery' };

/** Whether PostgreSQL can store it: no NUL, and no half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Returns the first fields of a part of a request whose text cannot be stored, by their dotted paths. A name that cannot
 * be stored counts against what holds it. Keeps its own stack: a body may be nested deeper than calls may be.
 */
export function unstorableFields(part: unknown, name: string): string[] {
  const found = new Set<string>();
  const note = (path: string) => found.add(shortPath(path || name));
  const open: { value: unknown; path: string }[] = [{ value: part, path: '' }];
  for (let next = open.pop(); next !== undefined && found.size < MOST_FIELDS; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !isStorable(value)) note(path);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) note(path);
      else open.push({ value: inner, path: path === '' ? shortPath(key) : shortPath(`${path}.${key}`) });
    }
  }
  return [...found];
}

/**
 * Refuses what PostgreSQL could not store, once for all routes, so that no schema can forget it. Runs after the check of
 * access, which comes first, and leaves the stand-ins of the providers alone: they answer as the providers do.
 * @throws AppError validation-failed
 */
export async function refuseUnstorableText(request: FastifyRequest): Promise<void> {
  const { url = '' } = request.routeOptions;
  if (url.startsWith('/sandbox')) return;
  // A file's path is the file server's to refuse.
  const { '*': _file, ...params } = (request.params ?? {}) as Record<string, unknown>;
  const fields = [
    ...unstorableFields(params, 'address'),
    ...unstorableFields(request.query, 'query'),
    ...unstorableFields(request.body, 'body'),
  ].filter((field) => field !== ONLY_RUN[url]);
  if (fields.length === 0) return;
  throw new AppError('validation-failed', 'The request is not valid.', {
    fields: Object.fromEntries(fields.map((field) => [field, MESSAGE])),
  });
}
