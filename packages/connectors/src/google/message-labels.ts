import { z } from 'zod';
import { orderedParallel, type ProviderClient, ProviderError } from '../sdk/index.ts';
import { idSchema, listOf } from './fields.ts';

/** What asking for a label, or for the list of labels, costs of the quota. */
export const LABEL_UNITS = 1;
/** Labels that are asked for at once. */
const AT_ONCE = 10;
const labelSchema = z.object({ messagesTotal: z.number() });
const labelListSchema = z.object({ labels: listOf(z.object({ id: idSchema })) });

/** Describes a label that the user named and Gmail does not have. */
export function unknownLabel(label: string, cause?: unknown): ProviderError {
  const message = `Gmail does not know the label ${label}. Check the label IDs.`;
  return new ProviderError('invalid', message, { field: 'labelIds', cause });
}

/** Tells whether a failure means that Gmail does not know what was asked for. */
export function isUnknown(error: unknown): boolean {
  return error instanceof ProviderError && ['not-found', 'invalid'].includes(error.failure);
}

/**
 * Reads how many messages carry a label; undefined when Gmail does not say.
 * @throws ProviderError `invalid` for a label that Gmail does not have
 */
async function fetchLabelTotal(client: ProviderClient, label: string): Promise<number | undefined> {
  const path = `/gmail/v1/users/me/labels/${encodeURIComponent(label)}`;
  const answer = await client.get({ path, units: LABEL_UNITS }).catch((error) => {
    throw isUnknown(error) ? unknownLabel(label, error) : error;
  });
  return labelSchema.safeParse(answer.body).data?.messagesTotal;
}

/** Reads how many messages carry each of the labels, some at a time. @throws as `fetchLabelTotal` */
export async function fetchLabelTotals(
  client: ProviderClient,
  labelIds: readonly string[],
): Promise<(number | undefined)[]> {
  const totals: (number | undefined)[] = [];
  const asked = orderedParallel(
    labelIds,
    () => AT_ONCE,
    (label) => fetchLabelTotal(client, label),
  );
  for await (const total of asked) totals.push(total);
  return totals;
}

/**
 * Makes sure that Gmail has every label, by one request: of a deleted one its lists are empty without an error.
 * @returns how many messages carry the label; undefined for several, which overlap
 * @throws ProviderError `invalid` that names the label
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
  if (unknown !== undefined) throw unknownLabel(unknown);
  return undefined;
}
