import { z } from 'zod';
import { type ProviderClient, ProviderError } from '../sdk/index.ts';
import { idSchema, listOf, optionalIdSchema, pageTokenSchema } from './fields.ts';
import { isHiddenLabel } from './message-scope.ts';

/** Ids that a page of the list holds at most. */
export const LIST_SIZE = 500;
/** What a page costs of the quota. */
export const LIST_UNITS = 5;

const listSchema = z.object({
  messages: listOf(z.object({ id: idSchema, threadId: optionalIdSchema })),
  nextPageToken: pageTokenSchema,
});

/** A message as the list names it. */
export interface ListedMessage {
  id: string;
  threadId?: string | undefined;
}

/** One page of a label's message ids, newest first. @throws ProviderError */
export async function fetchListPage(
  client: ProviderClient,
  label: string,
  pageToken: string | undefined,
): Promise<{ messages: ListedMessage[]; nextPageToken: string | undefined }> {
  const answer = await client.get({
    path: '/gmail/v1/users/me/messages',
    query: {
      labelIds: label,
      maxResults: String(LIST_SIZE),
      pageToken,
      // Otherwise the lists of these two labels are empty.
      includeSpamTrash: isHiddenLabel(label) ? 'true' : undefined,
    },
    units: LIST_UNITS,
  });
  const page = listSchema.safeParse(answer.body);
  if (!page.success) {
    throw new ProviderError('malformed', 'Gmail sent a list of messages that cannot be read.', {
      cause: page.error,
    });
  }
  const { messages, nextPageToken } = page.data;
  return { messages, nextPageToken };
}
