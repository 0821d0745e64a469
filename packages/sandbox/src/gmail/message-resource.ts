import { randomBytes } from 'node:crypto';
import type { Header } from '../mime/header-block.ts';
import { type MimePart, readMessage } from '../mime/mime-tree.ts';
import type { Mail } from './mail.ts';
import { snippetOf } from './snippet.ts';

/** The requested level of detail of a message. */
export type MessageFormat = 'full' | 'metadata' | 'minimal' | 'raw';

/** The parameters of a request for a message. `metadataHeaders` are in lower case; an empty list means all. */
export interface MessageOptions {
  format: MessageFormat;
  metadataHeaders: readonly string[];
}

/** A part in the Gmail API's format. */
export interface PartResource {
  partId?: string;
  mimeType: string;
  filename?: string;
  headers: Header[];
  body?: { size: number; data?: string; attachmentId?: string };
  parts?: PartResource[];
}

/** A message in the Gmail API's format. */
export interface MessageResource {
  id: string;
  threadId: string;
  labelIds?: readonly string[];
  snippet: string;
  payload?: PartResource;
  sizeEstimate: number;
  historyId: string;
  internalDate: string;
  raw?: string;
}

/** Size from which an unnamed text part counts as an attachment, bytes. */
const MAX_INLINE_BYTES = 5 * 1024 * 1024;

/** Returns the message in the requested format. Attachment ids differ at every call, like Gmail's. */
export function messageResource(mail: Mail, options: MessageOptions): MessageResource {
  const raw = mail.read();
  const root = readMessage(raw);
  const resource: MessageResource = {
    id: mail.id,
    threadId: mail.threadId,
    ...(mail.labelIds.length > 0 ? { labelIds: mail.labelIds } : {}),
    snippet: snippetOf(root),
    sizeEstimate: raw.length,
    historyId: String(mail.historyId),
    internalDate: String(mail.internalDate),
  };
  if (options.format === 'full') resource.payload = partResource(root);
  if (options.format === 'metadata') {
    const wanted = options.metadataHeaders;
    const headers = root.headers.filter(
      ({ name }) => wanted.length === 0 || wanted.includes(name.toLowerCase()),
    );
    resource.payload = { mimeType: root.mimeType, headers };
  }
  if (options.format === 'raw') resource.raw = raw.toString('base64url');
  return resource;
}

/** Returns the part id of an attachment id; undefined for an invalid one. */
export function partIdOf(attachmentId: string): string | undefined {
  const text = Buffer.from(attachmentId, 'base64url').subarray(48).toString();
  return /^part:[\d.]*$/.test(text) ? text.slice(5) : undefined;
}

function partResource(part: MimePart): PartResource {
  const { partId, mimeType, filename, headers } = part;
  const resource: PartResource = { partId, mimeType, filename, headers, body: bodyOf(part) };
  if (part.children.length > 0) resource.parts = part.children.map(partResource);
  return resource;
}

function bodyOf(part: MimePart): { size: number; data?: string; attachmentId?: string } {
  const size = part.content.length;
  if (part.mimeType.startsWith('multipart/') || size === 0) return { size };
  if (!isAttachment(part)) return { size, data: part.content.toString('base64url') };
  return {
    attachmentId: Buffer.concat([randomBytes(48), Buffer.from(`part:${part.partId}`)]).toString('base64url'),
    size,
  };
}

function isAttachment(part: MimePart): boolean {
  return (
    part.filename !== '' ||
    part.attached ||
    part.content.length > MAX_INLINE_BYTES ||
    !part.mimeType.startsWith('text/')
  );
}
