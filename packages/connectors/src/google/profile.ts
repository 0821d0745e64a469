import { z } from 'zod';
import { type ProviderClient, ProviderError } from '../sdk/index.ts';

const profileSchema = z.object({ historyId: z.string() });

/** Returns the mailbox's current history id, which changes with every message change. @throws ProviderError */
export async function currentHistoryId(client: ProviderClient): Promise<string> {
  const answer = await client.get({ path: '/gmail/v1/users/me/profile', units: 1 });
  const profile = profileSchema.safeParse(answer.body);
  if (profile.success) return profile.data.historyId;
  throw new ProviderError('malformed', 'Gmail sent a profile that cannot be read.', { cause: profile.error });
}
