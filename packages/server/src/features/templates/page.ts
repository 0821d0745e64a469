import { PAGE_SIZES, type Results, type Template } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import { type ConnectorRegistry, findCurrentConnection } from '../connections/index.ts';
import { overRecords, type RecordSource } from '../records/index.ts';
import type { TemplateDefinition } from './definition.ts';
import { imapTemplates } from './imap-templates.ts';
import { labelTemplates } from './label-templates.ts';
import { messageTemplates } from './message-templates.ts';
import { pullTemplates } from './pull-templates.ts';

/** Longest statement for a page of a template, ms. */
const PAGE_MS = 15_000;

const TEMPLATES: readonly TemplateDefinition[] = [
  ...labelTemplates,
  ...messageTemplates,
  ...pullTemplates,
  ...imapTemplates,
];

/** @throws AppError not-found when the entity has no such template */
export function findTemplate(entity: string, key: string): TemplateDefinition {
  const found = TEMPLATES.find((template) => template.key === key && template.entity === entity);
  if (!found) throw notFound(`The template '${key}'`);
  return found;
}

/** The templates of an entity. @throws AppError not-found for an unknown provider or entity */
export function listTemplates(registry: ConnectorRegistry, provider: string, entity: string): Template[] {
  registry.entity(provider, entity);
  return TEMPLATES.filter((template) => template.entity === entity).map((template) => ({
    _id: template.key,
    title: template.title,
    description: template.description,
    templateKey: template.key,
    providerId: provider,
    entryCollection: entity,
    isOfRecords: template.documentsBy !== undefined,
    columns: [...(template.columns ?? [])],
  }));
}

/** The records a user's templates of an entity read; undefined before the provider was ever connected. */
export async function sourceOf(
  context: Context,
  registry: ConnectorRegistry,
  user: { userId: string; entity: string },
): Promise<RecordSource | undefined> {
  const connector = registry.providerOf(user.entity);
  const connection = await findCurrentConnection(context.db, user.userId, connector.key);
  return connection ? { userId: user.userId, connectionId: connection.id, entity: user.entity } : undefined;
}

/** A page of 20 of a template's rows, and the count of all. */
export async function readTemplatePage(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; entity: string; templateKey: string; page: number },
): Promise<Results> {
  const template = findTemplate(request.entity, request.templateKey);
  // Whoever looks at rows is about to ask something about them.
  context.evaluation.prepare();
  const source = await sourceOf(context, registry, request);
  if (!source) return { results: [], count: 0 };
  const offset = (request.page - 1) * PAGE_SIZES.results;
  const statement = overRecords(
    source,
    sql`select
      (select count(*)::int from (${template.rows}) t) as count,
      (select json_agg(row) from (
        select row::json from (${template.rows}) t limit ${PAGE_SIZES.results} offset ${offset}
      ) page) as results`,
  );
  const { rows } = await readBounded(context.db, PAGE_MS, (tx) =>
    tx.execute<{ count: number; results: Results['results'] | null }>(statement),
  );
  return { results: rows[0]?.results ?? [], count: rows[0]?.count ?? 0 };
}
