import {
  type AttachmentProblem,
  type EntityDefinition,
  ProviderError,
  type RecordFile,
  type StoredFile,
} from '@datadeck/connectors';
import { type Attachments, BOUNDS } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import {
  type Connection,
  type ConnectorRegistry,
  findConnection,
  openClient,
  providerFailure,
  requireUsable,
  type Schedulers,
} from '../connections/index.ts';
import { safeFileName } from './file-name.ts';
import { findRecord } from './find-record.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import { openRecordsFor, type RecordRequest } from './records-for.ts';

/** Timeout of each statement, and of the calls to a provider, ms. */
const STATEMENT_MS = 5000;
const TIMEOUT_MS = 120_000;
/** Longest wait for a quota that a running sync uses, ms. */
const MAX_WAIT_MS = 15_000;
/** Longest type that is shown, UTF-16 units. */
const TYPE_LENGTH = 200;
const MEGABYTES = BOUNDS.attachmentBytes / 1024 / 1024;

/** A file of a stored record, and the account that has it. */
export interface FoundAttachment {
  connection: Connection;
  entity: EntityDefinition;
  recordId: string;
  file: StoredFile;
  index: number;
  /** Number of files of the record. */
  count: number;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * Finds a file in the list of a record of a user: of its newest copy, or of the one in the named account.
 * @throws AppError not-found, with the same text for a record of another user, a deleted and an unknown one
 */
export async function findAttachment(
  context: Context,
  registry: ConnectorRegistry,
  request: RecordRequest & { index: number },
): Promise<FoundAttachment> {
  const { userId, entityLabel, record, index } = request;
  const opened = await openRecordsFor(context, registry, request);
  if (!opened?.entity.fetchAttachment) throw notFound('This attachment');
  const { entity, set } = opened;
  const stored = await readBounded(context.db, STATEMENT_MS, async (db) => {
    const found = await findRecord(db, set, record);
    if (!found) return undefined;
    const { connectionId } = found;
    const source = { userId, connectionId, entity: entityLabel };
    const { rows } = await db.execute<{ file: Record<string, unknown> | null; count: number }>(sql`
      select a.list -> ${index}::int as file, json_array_length(a.list) as count
      from ${tableOf(source)} r cross join lateral (
        select case when json_typeof(r.data -> 'attachments') = 'array' then r.data -> 'attachments' else '[]' end as list
      ) a where ${isRecordOf(source)} and r.id = ${record}`);
    return rows[0] && { ...rows[0], connectionId };
  });
  const connection = stored && (await findConnection(context.db, userId, stored.connectionId));
  if (!stored?.file || !connection) throw notFound('This attachment');
  const { file, count } = stored;
  const { filename, mimeType, partId } = file;
  return {
    connection,
    entity,
    recordId: record,
    file: { filename: text(filename), mimeType: text(mimeType), partId: text(partId) },
    index,
    count,
  };
}

/** Returns the error that says why the file of a mail cannot be fetched, and what to do. @param provider its title */
export function attachmentError(problem: AttachmentProblem, provider: string): AppError {
  switch (problem) {
    case 'record-gone':
      return new AppError(
        'mail-gone',
        `${provider} no longer has this mail: it was deleted or moved. Synchronize again to see what is there now.`,
      );
    case 'attachment-gone':
      return new AppError(
        'attachment-gone',
        `This mail no longer has this file at ${provider}. Synchronize again to see which files it has now.`,
      );
    case 'mail-too-large':
      return new AppError(
        'attachment-too-large',
        'The mail that has this file is too large to fetch. Save the file in your mail program instead.',
      );
    case 'too-large':
      return new AppError(
        'attachment-too-large',
        `This file is larger than ${MEGABYTES} MB, the most that Datadeck fetches. Save it in your mail program instead.`,
      );
  }
}

/** Converts a provider failure. No setting causes it, so a refusal is the provider's. */
function fetchFailure(error: unknown): unknown {
  const isRefused =
    error instanceof ProviderError && ['not-found', 'invalid', 'forbidden'].includes(error.failure);
  return isRefused ? new AppError('provider-unavailable', error.message) : providerFailure(error);
}

/**
 * Fetches a file from its provider, within the quota of the account.
 * @throws AppError not-connected, reconnect-needed, mail-gone, attachment-gone, attachment-too-large, rate-limited,
 *   provider-unavailable
 */
export async function fetchAttachment(
  context: Context,
  parts: { registry: ConnectorRegistry; schedulers: Schedulers },
  { connection, entity, ...attachment }: FoundAttachment & { signal: AbortSignal },
): Promise<Uint8Array> {
  const connector = parts.registry.connector(connection.provider);
  const usable = requireUsable(connection, connector, 'save the file');
  const signal = AbortSignal.any([attachment.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const { recordId, file, index, count } = attachment;
  try {
    const access = { ...parts, connector, connection: usable };
    const client = openClient(context, access, { signal, waitTimeoutMs: MAX_WAIT_MS });
    const maxBytes = BOUNDS.attachmentBytes;
    const content = await entity.fetchAttachment?.({ client, recordId, file, index, count, maxBytes });
    if (content instanceof Uint8Array) return content;
    throw attachmentError(content ?? 'attachment-gone', connector.title);
  } catch (error) {
    throw fetchFailure(error);
  }
}

/** Returns what a reading lists of the files of a record; undefined without files. @param files those that were read of it */
export function attachmentsOf(
  files: readonly RecordFile[],
  { status }: Pick<Connection, 'status'>,
): Attachments | undefined {
  if (files.length === 0) return undefined;
  return {
    files: files.slice(0, BOUNDS.attachments).map((file) => ({
      name: safeFileName(file),
      mimeType: file.mimeType.slice(0, TYPE_LENGTH).toWellFormed(),
      size: file.size,
    })),
    isCutOff: files.length > BOUNDS.attachments,
    access: status === 'sample' || status === 'connected' ? 'available' : status,
  };
}
