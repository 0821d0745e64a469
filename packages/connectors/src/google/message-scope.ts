import { createHash } from 'node:crypto';

/** Returns the sorted, unique label ids of the settings: 'SENT, INBOX,SENT' -> ['INBOX', 'SENT']. */
export function labelIdsOf(settings: Readonly<Record<string, string>>): string[] {
  const ids = (settings.labelIds ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids.filter(Boolean))].sort();
}

/** Longest scope name; PostgreSQL rejects index keys of more than 2,700 bytes. */
const MAX_NAME_LENGTH = 2000;

/** Returns the name of the label set; the SHA-256 digest if the name is too long. */
export function scopeOf(settings: Readonly<Record<string, string>>): string {
  const name = labelIdsOf(settings).join(',');
  return name.length <= MAX_NAME_LENGTH ? name : `sha256:${createHash('sha256').update(name).digest('hex')}`;
}

/** Labels whose messages Gmail omits from lists unless requested. */
const HIDDEN = ['SPAM', 'TRASH'];

/** Returns whether Gmail lists the messages of a label only with `includeSpamTrash`. */
export function isHiddenLabel(label: string): boolean {
  return HIDDEN.includes(label);
}

/** Returns whether a message with these labels is listed under any of the requested labels. */
export function isInScope(labels: readonly string[], labelIds: readonly string[]): boolean {
  const isHidden = labels.some(isHiddenLabel);
  return labelIds.some((id) => labels.includes(id) && (!isHidden || isHiddenLabel(id)));
}
