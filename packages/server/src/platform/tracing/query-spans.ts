import { finished, Readable, Writable } from 'node:stream';
import { context } from '@opentelemetry/api';
import type pg from 'pg';
import { clientSpans, isTracing, type OpenSpan } from './tracing.ts';

/** Start of a statement that is searched for its table, characters. */
const SEARCHED = 4000;

function textOf(query: unknown): string {
  const text = typeof query === 'string' ? query : (query as { text?: unknown } | undefined)?.text;
  return typeof text === 'string' ? text.slice(0, SEARCHED) : '';
}

/**
 * Summarises a statement as its operation and first table, e.g. `select gh_pulls`. Statements themselves are not recorded:
 * they may contain literals.
 */
export function summaryOf(text: string): string {
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'query';
  const table = /\b(?:from|into|update|copy)\s"?([a-z_]+)/i.exec(text)?.[1];
  return table === undefined ? operation : `${operation} ${table}`;
}

function startQuerySpan(query: unknown): OpenSpan | undefined {
  if (!isTracing()) return undefined;
  return clientSpans()(summaryOf(textOf(query)), { 'db.system.name': 'postgresql' });
}

type Query = (...args: unknown[]) => unknown;

/** Records the queries of a connection, by promise, callback or stream. */
function traceQueries(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query;
  const traced: Query = (...args) => {
    const end = startQuerySpan(args[0]);
    if (end === undefined) return query(...args);
    const callback = args.at(-1);
    if (typeof callback === 'function')
      return query(...args.slice(0, -1), (error: unknown, result: unknown) => {
        end(Boolean(error));
        callback(error, result);
      });
    const result = query(...args);
    if (result instanceof Promise)
      result.then(
        () => end(false),
        () => end(true),
      );
    else if (result instanceof Writable || result instanceof Readable)
      finished(result, (error) => end(Boolean(error)));
    else end(false);
    return result;
  };
  client.query = traced as typeof client.query;
}

/** Records the queries of a pool, each as a child of the span that asked for it. Does nothing without tracing. */
export function tracePool(pool: pg.Pool): void {
  if (!isTracing()) return;
  pool.on('connect', traceQueries);
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  // A waiting caller is called back in the context of the caller that releases a connection.
  const bound = (callback?: (...args: unknown[]) => void) =>
    callback ? connect(context.bind(context.active(), callback)) : connect();
  pool.connect = bound as typeof pool.connect;
}
