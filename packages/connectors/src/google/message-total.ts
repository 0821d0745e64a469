import { z } from 'zod';
import { type ProviderClient, ProviderError } from '../sdk/index.ts';

/** What asking for a label costs of the quota. */
export const LABEL_UNITS = 1;
const labelSchema = z.object({ messagesTotal: z.number() });

/** How many messages carry one of the labels; undefined when Gmail does not tell. Labels overlap: several have no total. */
export async function fetchTotal(client: ProviderClient, labelIds: string[]): Promise<number | undefined> {
  const [label] = labelIds;
  return label === undefined || labelIds.length > 1 ? undefined : fetchLabelTotal(client, label);
}

/** How many messages carry a label; undefined when Gmail does not tell. */
export async function fetchLabelTotal(client: ProviderClient, label: string): Promise<number | undefined> {
  try {
    const path = `/gmail/v1/users/me/labels/${encodeURIComponent(label)}`;
    const answer = await client.get({ path, units: LABEL_UNITS });
    return labelSchema.safeParse(answer.body).data?.messagesTotal;
  } catch (error) {
    if (error instanceof ProviderError && ['not-found', 'invalid'].includes(error.failure)) return undefined;
    throw error;
  }
}
