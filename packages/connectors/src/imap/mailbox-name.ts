/** 'inbox' in any spelling is INBOX (RFC 9051, 5.1); other names are as they are. */
export function mailboxOf(settings: Readonly<Record<string, string>>): string {
  const name = (settings.mailbox ?? '').trim();
  return name.toUpperCase() === 'INBOX' ? 'INBOX' : name;
}
