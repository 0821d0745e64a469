import { createHash } from 'node:crypto';

/** 'SENT, INBOX,SENT' -> ['INBOX', 'SENT']: equal sets are one scope. */
export function labelIdsOf(settings: Readonly<Record<string, string>>): string[] {
  const ids = (settings.labelIds ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids.filter(Boolean))].sort();
}

/** PostgreSQL refuses keys of more than 2,700 bytes. */
const MAX_NAME_LENGTH = 2000;

/** Names the set of labels; a set that is too long to be named in full, by its digest. */
export function scopeOf(settings: Readonly<Record<string, string>>): string {
  const name = labelIdsOf(settings).join(',');
  return name.length <= MAX_NAME_LENGTH ? name : `sha256:${createHash('sha256').update(name).digest('hex')}`;
}

/** Labels whose messages Gmail's lists leave out unless they are asked for. */
const HIDDEN = ['SPAM', 'TRASH'];

/** Tells whether Gmail lists the messages of a label only when it is asked to include spam and trash. */
export function isHiddenLabel(label: string): boolean {
  return HIDDEN.includes(label);
}

/** Tells whether a message with these labels is in the listing of any of the labels asked for. */
export function isInScope(labels: readonly string[], labelIds: readonly string[]): boolean {
  const isHidden = labels.some(isHiddenLabel);
  return labelIds.some((id) => labels.includes(id) && (!isHidden || isHiddenLabel(id)));
}
