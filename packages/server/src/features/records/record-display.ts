import { type MailPage, type RecordContent, readMailPage, readMarkdownPage } from '@datadeck/connectors';
import { READING_LENGTH, type RecordReading } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import { type ConnectorRegistry, findConnection } from '../connections/index.ts';
import { attachmentsOf } from './attachments.ts';
import { findRecord } from './find-record.ts';
import { readLabelNames } from './label-names.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import { openRecordsFor, type RecordRequest } from './records-for.ts';
import { textArray } from './text-array.ts';

/** Timeout of each statement, ms. */
const STATEMENT_MS = 5000;
/** Values of one fact, e.g. recipients; facts; length of one value, UTF-16 units. */
const MAX_VALUES = 200;
const MAX_FACTS = 20;
const VALUE_LENGTH = 1000;
/** Length of a field that is neither a text nor a list of a few objects, characters. */
const FIELD_LENGTH = 262_144;

interface StoredRecord extends Record<string, unknown> {
  title: string | null;
  occurred_at: Date;
  document: Record<string, never> | null;
}

/**
 * Selects the fields of a document that a reading needs. PostgreSQL shortens them, so that the main thread never parses a
 * large document.
 */
function boundedFields(fields: readonly string[]) {
  const items = sql`(select json_agg(item) from (select item from json_array_elements(value) item limit ${MAX_VALUES + 1}) first)`;
  const cut = sql`case json_typeof(value)
    when 'string' then to_json(left(value #>> '{}', ${READING_LENGTH + 1}))
    when 'array' then ${items} else value end`;
  return sql`(
    select json_object_agg(key, case when json_typeof(value) = 'string' or length(cut::text) <= ${FIELD_LENGTH} then cut end)
    from json_each(r.data) cross join lateral (select ${cut} as cut) bounded where key = any(${textArray(fields)}))`;
}

/** Cuts a text to a length in UTF-16 units. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed();
}

function shortenedFacts(facts: RecordContent['facts']): RecordReading['facts'] {
  return facts
    .filter(({ values }) => values.length > 0)
    .slice(0, MAX_FACTS)
    .map(({ title, values }) => {
      const shown = values.slice(0, MAX_VALUES).map((value) => cut(value, VALUE_LENGTH));
      return { title, values: values.length > MAX_VALUES ? [...shown, '…'] : shown };
    });
}

/** Returns an address that a browser may open; null for other schemes than https. */
function httpsUrl(url: string | null): string | null {
  const parsed = url === null || url.length > 2000 ? null : URL.parse(url);
  return parsed?.protocol === 'https:' ? parsed.href : null;
}

/** Writes the formatted text of a record. @returns null without one, or if it takes too long to write */
async function readPage({ html, text, textFormat }: RecordContent): Promise<MailPage | null> {
  if (textFormat === 'markdown') return text.trim() === '' ? null : readMarkdownPage(text);
  return html === null ? null : readMailPage(html);
}

/**
 * Reads one record for a person: its newest copy, or that of the named account.
 * @throws AppError not-found, with the same text for a record of another user, a deleted and an unknown one
 */
export async function readRecord(
  context: Context,
  registry: ConnectorRegistry,
  request: RecordRequest,
): Promise<RecordReading> {
  const { userId, providerId, entityLabel, record } = request;
  const opened = await openRecordsFor(context, registry, request);
  const reading = opened?.entity.reading;
  if (!opened || !reading) throw notFound('This record');
  const { entity, set } = opened;
  const stored = await readBounded(context.db, STATEMENT_MS, async (db) => {
    const found = await findRecord(db, set, record);
    if (!found) throw notFound('This record');
    const source = { userId, connectionId: found.connectionId, entity: entityLabel };
    const { rows } = await db.execute<StoredRecord>(sql`
      select r.${sql.identifier(entity.table.title)} as title, r.occurred_at, ${boundedFields(reading.fields)} as document
      from ${tableOf(source)} r where ${isRecordOf(source)} and r.id = ${record}`);
    const [row] = rows;
    if (!row) throw notFound('This record');
    const content = reading.read(row.document ?? {});
    const { connectionId } = found;
    const names = await readLabelNames(db, registry, { userId, connectionIds: [connectionId] });
    const labels = content.labels.map((label) => names.nameOf(connectionId, label));
    const connection = await findConnection(db, userId, connectionId);
    const attachments =
      entity.fetchAttachment && connection ? attachmentsOf(content.files ?? [], connection) : undefined;
    return { row, content, labels, found, attachments };
  });
  const { row, content, labels, found, attachments } = stored;
  const page = await readPage(content);
  const isPageCutOff = page ? page.isCutOff : content.html !== null;
  return {
    providerId,
    entityLabel,
    account: found.account,
    ...(found.accounts && { accounts: found.accounts }),
    recordId: record,
    title: row.title ?? '',
    occurredAt: new Date(row.occurred_at).toISOString(),
    facts: shortenedFacts([...content.facts, { title: 'Labels', values: labels }]),
    text: cut(content.text, READING_LENGTH),
    textFormat: content.textFormat,
    html: page?.html ?? null,
    isCutOff: content.isTruncated || content.text.length > READING_LENGTH || isPageCutOff,
    url: httpsUrl(content.url),
    ...(content.pull && { pull: content.pull }),
    ...(attachments && { attachments }),
  };
}
