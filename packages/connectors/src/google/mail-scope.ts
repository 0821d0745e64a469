import { createHash } from 'node:crypto';

/** Returns the sorted, unique ids of the setting `labelIds`: 'SENT, INBOX,SENT' -> ['INBOX', 'SENT']. */
export function labelIdsOf(settings: Readonly<Record<string, string>>): string[] {
  const ids = (settings.labelIds ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids.filter(Boolean))].sort();
}

/** Longest scope name, in ASCII characters; PostgreSQL rejects index keys of more than 2,700 bytes. */
const MAX_NAME_LENGTH = 2000;

/** Returns the name of the settings' label set, e.g. `INBOX,SENT`; `sha256:` and the hex digest if that is too long. */
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

/**
 * Returns whether a message with `labels` is listed under any of the requested `labelIds`. A message in SPAM or TRASH is
 * listed only under these two labels.
 */
export function isInScope(labels: readonly string[], labelIds: readonly string[]): boolean {
  const isHidden = labels.some(isHiddenLabel);
  return labelIds.some((id) => labels.includes(id) && (!isHidden || isHiddenLabel(id)));
}
