import { checkDocument, readDocument } from '@datadeck/connectors/declarative/builder';
import { CONNECTOR_BOUNDS, type ConnectorProblem } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { AppError } from '../../platform/app-error.ts';
import type { ConnectorRegistry } from '../connections/index.ts';

/** Keys below `/auth` that belong to the product. */
const RESERVED_KEYS = ['link', 'demo', 'callback', 'start'];

/** Words of SQL that a name without quotes would be. */
const SQL_WORDS = /^(?:current|session|system)-(?:user|role|date|time|timestamp|catalog|schema)$/;
/** Ends of the names that belong to each table. */
const OWN_NAMES = ['-newest', '-pkey', '-source'];

/** A document, or why the text is none. */
export interface CheckedDocument {
  document: ConnectorDocument | undefined;
  problems: ConnectorProblem[];
}

/** What this server allows a document. */
export interface ServerRules {
  /** Connectors, whose entities a document of another one must not have. */
  registry: ConnectorRegistry;
  /** Keys that belong to the product: of shipped connectors and of identity providers. */
  keys: ReadonlySet<string>;
  /** Hosts that the operator allows, of CONNECT_HOSTS. */
  hosts: readonly string[];
}

/** Returns the addresses of a document that are called without TLS, though the operator does not name their hosts, as problems. */
export function insecureAddresses(
  { baseUrl, authentication }: ConnectorDocument,
  hosts: readonly string[],
): ConnectorProblem[] {
  const addresses = {
    baseUrl,
    'authentication.tokenUrl': ('tokenUrl' in authentication && authentication.tokenUrl) || '',
    'authentication.authorizationUrl':
      'authorizationUrl' in authentication ? authentication.authorizationUrl : '',
  };
  return Object.entries(addresses).flatMap(([path, address]) => {
    const [, host] = /^http:\/\/([^/:]+)/.exec(address) ?? [];
    const message = 'Use https. Without it, only a host is called that the operator names in CONNECT_HOSTS.';
    return host === undefined || hosts.includes(host) ? [] : [{ path, message }];
  });
}

/** Returns the faults of a document on this server: names that others have. */
function problemsHere(
  document: ConnectorDocument,
  key: string,
  { registry, keys, hosts }: ServerRules,
): ConnectorProblem[] {
  const problems: ConnectorProblem[] = [];
  if (document.key !== key)
    problems.push({ path: 'key', message: `The key stays ${key}. Start a new connector for another key.` });
  if (keys.has(key) || RESERVED_KEYS.includes(key))
    problems.push({ path: 'key', message: `The key ${key} belongs to the product. Choose another one.` });
  problems.push(...insecureAddresses(document, hosts));
  const others = registry.all().filter((connector) => connector.key !== key);
  const entities = new Set(others.flatMap((connector) => connector.entities.map(({ id }) => id)));
  const ids = new Set(document.entities.map(({ id }) => id));
  for (const [index, { id }] of document.entities.entries()) {
    // PostgreSQL has such functions, and each table an index and a key of these names.
    const isTaken = SQL_WORDS.test(id) || [...ids].some((one) => OWN_NAMES.some((end) => id === one + end));
    if (isTaken)
      problems.push({
        path: `entities.${index}.id`,
        message: `The id ${id} cannot be used. Choose another one.`,
      });
    if (entities.has(id))
      problems.push({ path: `entities.${index}.id`, message: `Another connector has the entity ${id}.` });
  }
  return problems;
}

/** Reads the text of the connector `key` and finds its faults. */
export async function checkText(text: string, key: string, rules: ServerRules): Promise<CheckedDocument> {
  const { document, problems } = await readDocument(text);
  if (!document) return { document, problems };
  return { document, problems: [...(await checkDocument(document)), ...problemsHere(document, key, rules)] };
}

/** @throws AppError validation-failed with the faults by path */
export function requireNoProblems({ document, problems }: CheckedDocument): ConnectorDocument {
  if (document && problems.length === 0) return document;
  const fields = Object.fromEntries(
    problems.slice(0, 50).map(({ path, message }) => [path || 'document', message]),
  );
  throw new AppError(
    'validation-failed',
    'The document has faults. Correct the marked places, then publish again.',
    {
      fields,
    },
  );
}

/** @throws AppError limit-reached */
export function requireTables(tables: number): void {
  if (tables > CONNECTOR_BOUNDS.tables)
    throw new AppError(
      'limit-reached',
      `The connectors of this server may have ${CONNECTOR_BOUNDS.tables} tables. Delete a connector that is no longer used.`,
    );
}
