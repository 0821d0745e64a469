import type { Readable } from 'node:stream';
import { type ExportFormat, FILE_TYPES } from '@datadeck/contract';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import { attachment } from './attachment.ts';

/** Formats that are text. */
const TEXTS: ReadonlySet<string> = new Set(['json', 'ndjson', 'csv']);

/**
 * Returns the format that is written for the wire's `format` and `exact`.
 * @throws AppError validation-failed for `exact` of another format than CSV
 */
export function writtenFormat<Format extends ExportFormat>(asked: {
  format: Format;
  exact?: boolean | 'true' | 'false' | undefined;
}): Format | 'exact-csv' {
  if (asked.exact !== true && asked.exact !== 'true') return asked.format;
  if (asked.format === 'csv') return 'exact-csv';
  const message = 'Only CSV has an exact form.';
  throw new AppError('validation-failed', message, { fields: { exact: message } });
}

/**
 * Sends a file as a download. A client that disconnects before the end stops the work behind it.
 * @param name without extension, which follows from the format
 */
export function sendFile(
  reply: FastifyReply,
  file: Readable,
  { name, format }: { name: string; format: ExportFormat },
): FastifyReply {
  reply.raw.once('close', () => file.destroy());
  if (reply.raw.destroyed) file.destroy();
  return reply
    .type(FILE_TYPES[format] + (TEXTS.has(format) ? '; charset=utf-8' : ''))
    .header('content-disposition', attachment(`${name}.${format}`))
    .send(file);
}

/** Sends the file of a stranger as a download: of no type that a browser shows, and without any rights if it did. */
export function sendUntrustedFile(
  reply: FastifyReply,
  { name, bytes }: { name: string; bytes: Uint8Array },
): FastifyReply {
  return reply
    .type('application/octet-stream')
    .header('content-disposition', attachment(name))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
