import type { ProviderClient } from './provider-client.ts';

/** A file of a record as it is stored: without its content, which stays at the provider. */
export interface StoredFile {
  filename: string;
  mimeType: string;
  /** The provider's id of the part, if the connector stores one. */
  partId?: string | undefined;
}

/** Parameters of `EntityDefinition.fetchAttachment`. */
export interface AttachmentRequest {
  client: ProviderClient;
  recordId: string;
  file: StoredFile;
  /** Position of the file among the stored ones of the record, from 0. */
  index: number;
  /** Number of stored files of the record. */
  count: number;
  /** Largest content to return, bytes. Requests no more than it needs to know that a file is larger. */
  maxBytes: number;
}

/**
 * Why a file cannot be returned: the provider no longer has the record, the record there has no such file, or the file is
 * larger than asked for. `mail-too-large`: it can only be had with more bytes than are fetched for a file of that size, e.g.
 * from the source of a large mail; the file itself may be small.
 */
export type AttachmentProblem = 'record-gone' | 'attachment-gone' | 'too-large' | 'mail-too-large';

/** The content of a file, or why there is none. */
export type AttachmentContent = Uint8Array | AttachmentProblem;

/**
 * Returns the stored file among those that the provider has now: the one at its position, else the only one with its name and
 * type. If none is equal, e.g. because a name is read otherwise now, an unchanged number of files means an unchanged order.
 */
export function matchingFile<Found extends Pick<StoredFile, 'filename' | 'mimeType'>>(
  found: readonly Found[],
  { file, index, count }: Pick<AttachmentRequest, 'file' | 'index' | 'count'>,
): Found | undefined {
  const isSame = (one: Found | undefined) =>
    one?.filename === file.filename && one.mimeType === file.mimeType;
  const atIndex = found[index];
  if (isSame(atIndex)) return atIndex;
  const same = found.filter(isSame);
  if (same.length === 1) return same[0];
  return same.length === 0 && found.length === count ? atIndex : undefined;
}
