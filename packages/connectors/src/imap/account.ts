import { z } from 'zod';
import { type Credentials, ProviderError } from '../sdk/index.ts';

export const SECURITIES = ['tls', 'starttls', 'none'] as const;

const accountSchema = z.object({
  host: z.string().min(1),
  port: z.coerce.number().int().min(1).max(65535),
  security: z.enum(SECURITIES),
  user: z.string().min(1),
});

/** The mail server and user name of a connection. */
export type Account = z.infer<typeof accountSchema>;

/** Parses the stored account fields. @throws ProviderError `reauthorise` if another version stored them differently */
export function parseAccount(fields: Credentials['fields']): Account {
  const parsed = accountSchema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw new ProviderError(
    'reauthorise',
    'The stored settings of the mail server are not complete. Connect it again.',
  );
}
