import { z } from 'zod';
import {
  type ColumnValues,
  type Completion,
  type ConnectorRecord,
  copiedInstant,
  copiedInteger,
  copiedText,
  copiedTexts,
  type JsonObject,
  type Page,
  ProviderError,
  type ReadRequest,
  storableInstant,
} from '../../packages/connectors/src/sdk/index.ts';

const PAGE_SIZE = 500;
const ticketSchema = z.looseObject({
  id: z.string(),
  number: z.number(),
  subject: z.string(),
  state: z.string(),
  author: z.looseObject({ name: z.string() }),
  labels: z.array(z.looseObject({ name: z.string() })),
  created: z.string(),
  updated: z.string(),
  closed: z.string().nullable(),
  minutes: z.number(),
});
const answerSchema = z.object({ tickets: z.array(ticketSchema), total: z.number().int() });

function columnsOf(ticket: z.infer<typeof ticketSchema>): ColumnValues {
  return {
    subject: copiedText(ticket.subject),
    number: copiedInteger(ticket.number),
    state: copiedText(ticket.state),
    author: copiedText(ticket.author.name),
    labels: copiedTexts(ticket.labels.map(({ name }) => name)),
    updated: copiedInstant(ticket.updated, 3),
    closed: copiedInstant(ticket.closed, 3),
    is_closed: ticket.state === 'closed',
    hours: Math.round((ticket.minutes / 60) * 100) / 100,
  };
}

function recordOf(ticket: z.infer<typeof ticketSchema>): ConnectorRecord {
  return {
    id: ticket.id,
    occurredAt: storableInstant(Date.parse(ticket.created)) ?? new Date(0),
    data: ticket as JsonObject,
    columns: columnsOf(ticket),
  };
}

/** Reads the tickets as a connector in TypeScript does that follows the example of the tests. */
export async function* readByHand({ client }: ReadRequest): AsyncGenerator<Page, Completion> {
  for (let page = 1; ; page++) {
    const { body } = await client.get({ path: '/tickets', query: { page: String(page) }, units: 1 });
    const answer = answerSchema.safeParse(body);
    if (!answer.success)
      throw new ProviderError('malformed', 'The service sent an answer that cannot be read.');
    const { tickets, total } = answer.data;
    if (tickets.length > 0) yield { records: tickets.map(recordOf), checkpoint: { page }, total };
    if (tickets.length < PAGE_SIZE) return { cursor: null, truncated: false };
  }
}
