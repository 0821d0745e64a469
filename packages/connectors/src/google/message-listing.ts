import { z } from 'zod';
import { type ConnectorRecord, ProviderError, type ReadRequest } from '../sdk/index.ts';
import { fetchMessages } from './message-fetch.ts';

const LIST_SIZE = 500;
/** Messages fetched ahead of their turn. */
const BLOCK = 50;

const listSchema = z.object({
  messages: z.array(z.object({ id: z.string() })).default([]),
  nextPageToken: z.string().optional(),
  resultSizeEstimate: z.number().optional(),
});

/** Where a label's listing stands: the token of its current page and how many ids of it are used up. */
export const positionSchema = z.object({
  pageToken: z.string().nullable(),
  offset: z.number().int(),
  ended: z.boolean(),
});
export type Position = z.infer<typeof positionSchema>;

interface Fetched {
  id: string;
  record: ConnectorRecord | undefined;
}

/** One label's messages, newest first, fetched a block ahead; its position can be saved and taken up again. */
export class LabelStream {
  readonly #request: ReadRequest;
  readonly #label: string;
  #position: Position;
  #ids: string[] | undefined;
  #next: string | undefined;
  #block: Fetched[] = [];
  /** Gmail's estimate of the label's messages. */
  estimate: number | undefined;
  #empties = 0;

  constructor(request: ReadRequest, label: string, position?: Position) {
    this.#request = request;
    this.#label = label;
    this.#position = position ?? { pageToken: null, offset: 0, ended: false };
  }

  /** The position after what was taken. */
  get position(): Position {
    return { ...this.#position };
  }

  /** Whether the label holds more, as far as is known without another request. */
  get mayHoldMore(): boolean {
    if (this.#position.ended) return false;
    const listed = this.#ids === undefined || this.#position.offset < this.#ids.length;
    return listed || this.#next !== undefined;
  }

  /** The next message without taking it; undefined at the end. At most `want` are fetched ahead. */
  async peek(want: number): Promise<Fetched | undefined> {
    while (this.#block.length === 0) {
      if (this.#position.ended) return undefined;
      this.#ids ??= await this.#list();
      const ids = this.#ids.slice(this.#position.offset, this.#position.offset + Math.min(BLOCK, want));
      if (ids.length === 0) this.#turnPage();
      else for await (const fetched of fetchMessages(this.#request, ids)) this.#block.push(fetched);
    }
    return this.#block[0];
  }

  take(): void {
    this.#block.shift();
    this.#position.offset++;
  }

  #turnPage(): void {
    this.#empties = this.#position.offset === 0 ? this.#empties + 1 : 0;
    const isLoop =
      this.#next !== undefined && (this.#next === this.#position.pageToken || this.#empties > 20);
    this.#position = { pageToken: this.#next ?? null, offset: 0, ended: this.#next === undefined || isLoop };
    this.#ids = undefined;
  }

  async #list(): Promise<string[]> {
    const { pageToken } = this.#position;
    const answer = await this.#request.client
      .get({
        path: '/gmail/v1/users/me/messages',
        query: { labelIds: this.#label, maxResults: String(LIST_SIZE), pageToken: pageToken ?? undefined },
        units: 5,
      })
      .catch((error) => {
        throw this.#explain(error);
      });
    const parsed = listSchema.safeParse(answer.body);
    if (!parsed.success)
      throw new ProviderError('malformed', 'Gmail sent a list of messages that cannot be read.', {
        cause: parsed.error,
      });
    this.#next = parsed.data.nextPageToken;
    this.estimate ??= pageToken === null ? parsed.data.resultSizeEstimate : undefined;
    return parsed.data.messages.map((message) => message.id);
  }

  #explain(error: unknown): unknown {
    if (!(error instanceof ProviderError)) return error;
    if (error.failure !== 'invalid' && error.failure !== 'not-found') return error;
    if (this.#position.pageToken !== null) {
      return new ProviderError('cursor-expired', 'Gmail no longer knows the page where the sync stood.', {
        cause: error,
      });
    }
    return new ProviderError(
      'invalid',
      `Gmail does not know the label ${this.#label}. Check the label IDs.`,
      { cause: error },
    );
  }
}
