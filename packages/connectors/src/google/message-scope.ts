/** 'SENT, INBOX,SENT' -> ['INBOX', 'SENT']: equal sets are one scope. */
export function labelIdsOf(settings: Readonly<Record<string, string>>): string[] {
  const ids = (settings.labelIds ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids.filter(Boolean))].sort();
}

/** Labels whose messages Gmail's lists leave out unless the label itself is asked for. */
const HIDDEN = ['SPAM', 'TRASH'];

/** Whether a message with these labels is in the listing of any of the labels asked for. */
export function isInScope(labels: readonly string[], labelIds: readonly string[]): boolean {
  const hidden = HIDDEN.filter((label) => labels.includes(label));
  return labelIds.some((id) => labels.includes(id) && hidden.every((label) => label === id));
}
