import { z } from 'zod';
import { type ProviderClient, ProviderError } from '../sdk/index.ts';
import { idSchema, listOf, optionalIdSchema, pageTokenSchema } from './fields.ts';
import { isHiddenLabel } from './mail-scope.ts';

/** Largest number of ids in a page of the list. */
export const LIST_SIZE = 500;
/** Quota units of a page. */
export const LIST_UNITS = 5;

const listSchema = z.object({
  messages: listOf(z.object({ id: idSchema, threadId: optionalIdSchema })),
  nextPageToken: pageTokenSchema,
});

/** One entry of the message list. */
export interface ListedMessage {
  id: string;
  threadId?: string | undefined;
}

/** A label's list of messages. */
export interface MessageListing {
  label: string;
  /** Lists only messages that arrived since then, ms since 1970. */
  since?: number | undefined;
}

/** Returns the search for messages that arrived since a time. Gmail counts whole seconds, and may leave out the first one. */
function searchSince(since: number | undefined): string | undefined {
  return since === undefined ? undefined : `after:${Math.max(0, Math.floor(since / 1000) - 1)}`;
}

/** Fetches one page of a label's message ids, newest first. @throws ProviderError */
export async function fetchListPage(
  client: ProviderClient,
  { label, since }: MessageListing,
  pageToken: string | undefined,
): Promise<{ messages: ListedMessage[]; nextPageToken: string | undefined }> {
  const answer = await client.get({
    path: '/gmail/v1/users/me/messages',
    query: {
      labelIds: label,
      maxResults: String(LIST_SIZE),
      pageToken,
      q: searchSince(since),
      // Without it, Gmail returns empty lists for SPAM and TRASH.
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
