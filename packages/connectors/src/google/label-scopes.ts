import { matchesPattern } from '@datadeck/contract';
import { z } from 'zod';
import {
  orderedParallel,
  type ProviderClient,
  ProviderError,
  ScopeBatches,
  type ScopeDefinition,
  scopeTextProblem,
} from '../sdk/index.ts';
import { idSchema, listOf } from './fields.ts';
import { isNotFound, LABEL_UNITS } from './mail-labels.ts';
import { isHiddenLabel, labelIdsOf } from './mail-scope.ts';

/** Labels whose messages are counted for the picker, which needs a request for each. */
const MAX_COUNTS = 200;
/** Labels counted before a batch is yielded. */
const BATCH_SIZE = 50;
/** Ids of labels: up to 100 labels of up to 100 characters, as the setting allows them. */
export const LABEL_IDS_PATTERN = '[A-Za-z0-9_]{1,100}(,[A-Za-z0-9_]{1,100}){0,99}';

const labelSchema = z.looseObject({ id: idSchema, name: z.string().catch('') });
const listSchema = z.object({ labels: listOf(labelSchema) });
type Label = z.infer<typeof labelSchema>;
const countSchema = z.object({ messagesTotal: z.number().int().nonnegative().nullish() });

async function fetchLabels(client: ProviderClient, signal: AbortSignal): Promise<Label[]> {
  const { body } = await client.get({ path: '/gmail/v1/users/me/labels', units: LABEL_UNITS, signal });
  const listed = listSchema.safeParse(body);
  if (listed.success) return listed.data.labels;
  throw new ProviderError('malformed', 'Gmail sent a list of labels that cannot be read.', {
    cause: listed.error,
  });
}

/** Returns the number of messages with a label; null if Gmail does not say, also for a label that was just deleted. */
async function countOf(client: ProviderClient, id: string, signal: AbortSignal): Promise<number | null> {
  const path = `/gmail/v1/users/me/labels/${encodeURIComponent(id)}`;
  const answer = await client.get({ path, units: LABEL_UNITS, signal }).catch((error) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  return countSchema.safeParse(answer?.body).data?.messagesTotal ?? null;
}

function problemOf(text: string): string | undefined {
  const isSorted = labelIdsOf({ labelIds: text }).join(',') === text;
  if (
    text.length > 0 &&
    matchesPattern(text, LABEL_IDS_PATTERN) &&
    isSorted &&
    scopeTextProblem(text) === undefined
  )
    return undefined;
  return scopeTextProblem(text) ?? 'A label is written as its id, several as their sorted ids with commas.';
}

/** The labels of a source of messages. Gmail's mails without a label are in no list of a label, so there is no pattern. */
export const labelScopes: ScopeDefinition = {
  one: 'label',
  many: 'labels',
  settings: ['labelIds'],
  patterns: () => [],
  nameOf: (settings) => labelIdsOf(settings).join(','),
  settingsOf: (name) => ({ labelIds: name }),
  problemOf,
  isPattern: () => false,
  selects: () => false,
  async *list({ client, signal }) {
    const batches = new ScopeBatches();
    const labels = (await fetchLabels(client, signal)).filter(({ id }) => problemOf(id) === undefined);
    for (let start = 0; start < labels.length && !batches.isFull; start += BATCH_SIZE) {
      const part = labels.slice(start, start + BATCH_SIZE);
      const counts: (number | null)[] = [];
      const counted = orderedParallel(
        part.slice(0, Math.max(0, MAX_COUNTS - start)),
        () => client.prefetchCount,
        ({ id }, abort) => countOf(client, id, AbortSignal.any([signal, abort])),
      );
      for await (const count of counted) counts.push(count);
      yield batches.add(
        part.map(({ id, name }, index) => ({
          name: id,
          title: name === '' ? id : name,
          group: '',
          isPrivate: false,
          isFork: false,
          isArchived: false,
          isTrash: isHiddenLabel(id),
          count: counts[index] ?? null,
          changedAt: null,
        })),
      );
    }
  },
};
