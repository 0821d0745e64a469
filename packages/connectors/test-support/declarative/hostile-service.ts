import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { declarativeConnector } from '../../src/declarative/index.ts';
import { Reader } from '../../src/sdk/conformance/reading.ts';
import { startSmallServer } from '../../src/sdk/conformance/small-server.ts';
import { documentOf, itemsIdOf } from './generate.ts';
import { ACCOUNT, API_PATH, type ServiceShape } from './shape.ts';

/** A service whose answers a test writes, and what a run of its document comes to. */
export interface HostileService {
  url: string;
  /** Requests since the start. */
  requests: IncomingMessage[];
  reader: Reader;
  document: ConnectorDocument;
  close(): void;
}

const PLAIN: ServiceShape = {
  authentication: 'bearer',
  pagination: 'none',
  incremental: 'none',
  order: 'created',
  format: 'json',
  parents: 'none',
  isCounted: false,
};

/** Writes the document of a plain service, with another shape and with changes to its last entity, the one of items. */
export function plainDocument(shape: Partial<ServiceShape> = {}, changes: object = {}): ConnectorDocument {
  const document = documentOf({ ...PLAIN, ...shape }, 1);
  const entities = document.entities.map((entity) =>
    entity.id === itemsIdOf(1) ? { ...entity, ...changes } : entity,
  );
  return connectorDocumentSchema.parse({ ...document, entities });
}

/** Starts a service that answers as `answer` does, and a reader of the items of a document. */
export async function startHostile(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  document: ConnectorDocument = plainDocument(),
): Promise<HostileService> {
  const requests: IncomingMessage[] = [];
  const server = await startSmallServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  const connector = declarativeConnector(document, {
    baseUrl: `${server.url}${API_PATH}`,
    hosts: ['127.0.0.1'],
    unitsPerMinute: Number.POSITIVE_INFINITY,
  });
  const { user, secret } = ACCOUNT;
  const credentials = { accessToken: secret, fields: { site: 'acme', user }, scopes: [] };
  const settings = { project: 'work' };
  const reader = new Reader({ entity: itemsIdOf(1), settings }, { connector, credentials });
  return { url: server.url, requests, reader, document, close: server.close };
}
