import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Context } from '../../platform/context.ts';
import { type DataSet, RowBatch } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { overRecords, type RecordSource, recordsVersion } from '../records/index.ts';
import type { TemplateDefinition } from './definition.ts';
import { findTemplate, sourceOf } from './page.ts';

const READ_CHUNK = 500;

/** Reads by a cursor in one snapshot, so that memory stays flat and pages of it fit together. */
async function* readRows(
  context: Context,
  source: RecordSource,
  template: TemplateDefinition,
): AsyncGenerator<Buffer> {
  const statement = sql`declare template_rows no scroll cursor for ${overRecords(source, sql`select row::text as row from (${template.rows}) t`)}`;
  const query = new PgDialect().sqlToQuery(statement);
  const client = await context.db.$client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(query.sql, query.params);
    const batch = new RowBatch();
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${READ_CHUNK} from template_rows`);
      if (rows.length === 0) break;
      for (const { row } of rows) {
        const piece = batch.add(row);
        if (piece !== undefined) yield piece;
      }
    }
    yield batch.take();
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** Whole rows of a template for the evaluation of expressions. */
export async function templateRows(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; entity: string; templateKey: string },
): Promise<DataSet> {
  const template = findTemplate(request.entity, request.templateKey);
  const source = await sourceOf(context, registry, request);
  if (!source) {
    return {
      key: `none/${template.key}`,
      family: `none/${template.key}`,
      async *read() {
        yield new RowBatch().take();
      },
    };
  }
  const version = await recordsVersion(context.db, source);
  // Ages depend on the day, so the day is part of the key.
  const day = new Date().toISOString().slice(0, 10);
  const family = `${source.userId}/${source.connectionId}/${template.key}`;
  return {
    key: `${family}@${version}/${day}`,
    family,
    read: () => readRows(context, source, template),
  };
}
