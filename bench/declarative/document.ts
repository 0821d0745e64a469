import { connectorDocumentSchema } from '../../packages/contract/src/connector-document.ts';

/** The document of the bench's service. */
export const TICKETS = connectorDocumentSchema.parse({
  version: 1,
  key: 'tickets',
  title: 'Tickets',
  description: 'Tickets of the bench.',
  baseUrl: 'https://tickets.example.com',
  authentication: { kind: 'bearer' },
  connect: { secret: { name: 'token', label: 'Token' } },
  quota: { perMinute: 100_000, concurrency: 2 },
  entities: [
    {
      id: 'tickets-all',
      title: 'Tickets',
      description: 'All tickets.',
      request: { path: '/tickets' },
      records: 'response.tickets',
      total: 'response.total',
      sortedBy: 'updated',
      pagination: { kind: 'page', parameter: 'page', size: 500 },
      date: 'record.created',
      titleColumn: 'subject',
      columns: {
        subject: { type: 'text', value: 'record.subject' },
        number: { type: 'integer', value: 'record.number' },
        state: { type: 'text', value: 'record.state' },
        author: { type: 'text', value: 'record.author.name' },
        labels: { type: 'texts', value: 'record.labels.name' },
        updated: { type: 'time', value: 'record.updated' },
        closed: { type: 'time', value: 'record.closed' },
        is_closed: { type: 'boolean', value: 'record.state = "closed"' },
        hours: { type: 'number', value: '$round(record.minutes / 60, 2)' },
      },
      templates: [{ kind: 'records', key: 'tickets-list', title: 'Tickets', description: 'All tickets.' }],
    },
  ],
});
