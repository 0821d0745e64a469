/** Returns the mailbox name of the settings as it is; only 'inbox' means the same in any case (RFC 9051, 5.1). */
export function mailboxOf(settings: Readonly<Record<string, string>>): string {
  const name = settings.mailbox ?? '';
  return name.toUpperCase() === 'INBOX' ? 'INBOX' : name;
}
