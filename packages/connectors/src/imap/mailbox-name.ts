/** Returns the mailbox name of the settings; normalises 'inbox' in any case to INBOX (RFC 9051, 5.1). */
export function mailboxOf(settings: Readonly<Record<string, string>>): string {
  const name = (settings.mailbox ?? '').trim();
  return name.toUpperCase() === 'INBOX' ? 'INBOX' : name;
}
