import type { Account } from '../imap/entities.ts';
import { type Credentials, ProviderError } from '../sdk/index.ts';

/** Where the mail server listens. */
export type MailServer = Pick<Account, 'host' | 'port' | 'security'>;

/** Returns server and user of a connection. @throws ProviderError `reauthorise` if no user is stored */
export function outlookAccount(server: MailServer, fields: Credentials['fields']): Account {
  const user = fields?.user ?? '';
  if (user !== '') return { ...server, user };
  throw new ProviderError('reauthorise', 'The stored account is not complete. Connect Outlook again.');
}
