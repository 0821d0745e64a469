import { z } from 'zod';
import { orderedParallel, type ProviderClient, ProviderError } from '../sdk/index.ts';
import { idSchema, listOf } from './fields.ts';

/** Quota units of a request for one label or for the list of labels. */
export const LABEL_UNITS = 1;
/** Labels requested at once. */
const MAX_CONCURRENT_REQUESTS = 10;
const labelSchema = z.object({ messagesTotal: z.number() });
const labelListSchema = z.object({ labels: listOf(z.object({ id: idSchema })) });

/** Creates the error for a label in the settings that does not exist at Gmail. */
export function unknownLabelError(label: string, cause?: unknown): ProviderError {
  const message = `Gmail does not know the label ${label}. Check the label IDs.`;
  return new ProviderError('invalid', message, { field: 'labelIds', cause });
}

/** Returns whether the error means that Gmail did not find the requested item. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ProviderError && ['not-found', 'invalid'].includes(error.failure);
}

/**
 * Fetches the number of messages with a label; undefined when Gmail does not return it.
 * @throws ProviderError `invalid` for a label that Gmail does not have
 */
async function fetchLabelTotal(client: ProviderClient, label: string): Promise<number | undefined> {
  const path = `/gmail/v1/users/me/labels/${encodeURIComponent(label)}`;
  const answer = await client.get({ path, units: LABEL_UNITS }).catch((error) => {
    throw isNotFound(error) ? unknownLabelError(label, error) : error;
  });
  return labelSchema.safeParse(answer.body).data?.messagesTotal;
}

/** Fetches the number of messages of each label, several at once. @throws like `fetchLabelTotal` */
export async function fetchLabelTotals(
  client: ProviderClient,
  labelIds: readonly string[],
): Promise<(number | undefined)[]> {
  const totals: (number | undefined)[] = [];
  const inOrder = orderedParallel(
    labelIds,
    () => MAX_CONCURRENT_REQUESTS,
    (label) => fetchLabelTotal(client, label),
  );
  for await (const total of inOrder) totals.push(total);
  return totals;
}

/**
 * Checks with one request that all labels exist, because Gmail lists a deleted label as empty without an error.
 * @returns the number of messages with the label; undefined for several labels, which may overlap
 * @throws ProviderError `invalid` with the name of the label
 */
export async function checkLabels(
  client: ProviderClient,
  labelIds: readonly string[],
): Promise<number | undefined> {
  const [label] = labelIds;
  if (label !== undefined && labelIds.length === 1) return fetchLabelTotal(client, label);
  const answer = await client.get({ path: '/gmail/v1/users/me/labels', units: LABEL_UNITS });
  const known = labelListSchema.safeParse(answer.body).data?.labels.map(({ id }) => id);
  const unknown = known && labelIds.find((id) => !known.includes(id));
  if (unknown !== undefined) throw unknownLabelError(unknown);
  return undefined;
}
