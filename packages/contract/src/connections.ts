import { z } from 'zod';

export const PROVIDER_KEYS = ['google', 'github'] as const;

export const connectionSchema = z.object({
  /** connected: usable · reconnect-needed: the provider refused the grant · sample: a demo workspace's, never synchronised. */
  status: z.enum(['connected', 'reconnect-needed', 'sample']),
  /** The account at the provider: an e-mail address or a login. */
  account: z.string(),
  connectedAt: z.string(),
});

export const providerSchema = z.object({
  _id: z.string(),
  key: z.string(),
  title: z.string(),
  description: z.string(),
  entities: z.array(z.object({ id: z.string(), title: z.string() })),
  /** Connected and in use. */
  isBlocked: z.boolean(),
  connection: connectionSchema.nullable(),
});
export type Provider = z.infer<typeof providerSchema>;
