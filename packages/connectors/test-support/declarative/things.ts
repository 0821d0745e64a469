import type { IncomingMessage, ServerResponse } from 'node:http';
import { connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { onTestFinished } from 'vitest';
import { declarativeConnector } from '../../src/declarative/index.ts';
import { Reader, type Run } from '../../src/sdk/conformance/reading.ts';
import { startSmallServer } from '../../src/sdk/conformance/small-server.ts';

/** The secret of the connection. */
export const SECRET = 'a-secret-of-some-length';

/** Answers a request: a returned value, or that of a promise, is sent as JSON. */
export type Answer = (url: URL, request: IncomingMessage, response: ServerResponse) => unknown;

/** Returns a document with one entity, `things-items`; `entity` and `document` replace its parts. */
export function documentWith(entity: object = {}, document: object = {}) {
  return connectorDocumentSchema.parse({
    version: 1,
    key: 'things',
    title: 'Things',
    description: 'Things.',
    baseUrl: 'https://things.example.com',
    authentication: { kind: 'bearer' },
    connect: { secret: { name: 'token', label: 'Token' } },
    quota: { perMinute: 100_000 },
    entities: [
      {
        id: 'things-items',
        title: 'Items',
        description: 'Items.',
        request: { path: '/items' },
        records: 'response.items',
        date: 'record.at',
        titleColumn: 'name',
        columns: {
          name: { type: 'text', value: 'record.name' },
          at: { type: 'time', value: 'record.at' },
        },
        templates: [{ kind: 'records', key: 'things-all', title: 'All', description: 'All.' }],
        ...entity,
      },
    ],
    ...document,
  });
}

/** Starts a server, and returns what makes a reader of an entity of the document; a returned value is sent as JSON. */
export async function readersOf(answer: Answer, document = documentWith()) {
  const server = await startSmallServer(async (request, response) => {
    const body = await answer(new URL(request.url ?? '/', server.url), request, response);
    if (response.headersSent) return;
    if (Buffer.isBuffer(body)) return response.end(body);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  onTestFinished(() => server.close());
  const connector = declarativeConnector(document, { baseUrl: server.url });
  const credentials = { accessToken: SECRET, scopes: [] };
  return (entity: string, settings: Record<string, string> = {}) =>
    new Reader({ entity, settings }, { connector, credentials });
}

/** Starts a server and returns a reader of the document's last entity; a returned value is sent as JSON. */
export async function readerOf(answer: Answer, document = documentWith()): Promise<Reader> {
  const readers = await readersOf(answer, document);
  return readers(document.entities.at(-1)?.id ?? '');
}

/** Returns the records of a run, in its order. */
export const recordsOf = ({ pages }: Run) => pages.flatMap(({ records }) => records);

/** Returns an item of the service; larger numbers are newer, by a day each. */
export const item = (id: number) => ({
  id,
  name: `Item ${id}`,
  at: new Date(Date.UTC(2026, 0, id)).toISOString(),
});
