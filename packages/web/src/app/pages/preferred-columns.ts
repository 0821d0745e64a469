const COLUMNS: Record<string, readonly string[]> = {
  'gmail-labels': ['name', 'type', 'messagesTotal', 'messagesUnread'],
  'gmail-messages': ['from', 'sender', 'subject', 'date', 'snippet'],
  'gh-pulls': ['number', 'title', 'state', 'author', 'created_at'],
};

/** What people look at first in the rows of an entity. */
export function preferredColumns(entityLabel: string): readonly string[] {
  return COLUMNS[entityLabel] ?? [];
}
