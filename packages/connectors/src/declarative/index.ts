import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { type Connector, defineConnector, type OAuthClient, ProviderError } from '../sdk/index.ts';
import { accessOf, BOUND_ADDRESS, ENTERED_ADDRESS } from './access.ts';
import { documentAuthorization } from './authorization.ts';
import { classifierOf, pausedUntilOf } from './classify.ts';
import { type ConsentOptions, documentConsent } from './consent.ts';
import { DocumentEvaluator } from './document-evaluator.ts';
import { documentProblems } from './document-problems.ts';
import { entityOf } from './entity.ts';
import { PageSource } from './page-source.ts';
import { type StoredNames, shownNames, withStoredNames } from './stored-names.ts';

export { COLUMN_TYPE_OF } from './column-value.ts';
export { type DocumentProblem, documentProblems } from './document-problems.ts';
export type { StoredNames } from './stored-names.ts';
export { BOUND_ADDRESS, ENTERED_ADDRESS };

/** Largest answer of a provider, bytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Options of the connector of a document. */
export interface DocumentOptions {
  /** Address of the API instead of the document's, e.g. of a server that the operator chose. */
  baseUrl?: string | undefined;
  /** Hosts that requests may reach, as CONNECT_HOSTS names them. Default: all, for an address that the operator trusts. */
  hosts?: readonly string[] | undefined;
  /** Requests per minute and user. Default: the document's. */
  unitsPerMinute?: number | undefined;
  /** Length of the quota's minute, ms; tests shorten it. */
  minuteMs?: number | undefined;
  /** Evaluates the expressions of this document. Default: one of its own. */
  evaluator?: DocumentEvaluator | undefined;
  /** Returns the OAuth client of a document that needs one. @throws ProviderError when there is none */
  client?: (() => Promise<OAuthClient>) | undefined;
  /** By entity, under which names columns are stored where these are not those of the document. */
  storedNames?: Readonly<Record<string, StoredNames>> | undefined;
}

const noClient = () =>
  Promise.reject(
    new ProviderError('unavailable', 'This connector has no OAuth client. Its administrator can enter one.'),
  );

/** Returns how accounts of a document are connected: on the page of the provider, or by a form. */
function authorizationsOf(
  document: ConnectorDocument,
  options: ConsentOptions,
): Pick<Connector, 'authorization' | 'formAuthorization'> {
  const authorization = documentConsent(document, options);
  return authorization ? { authorization } : { formAuthorization: documentAuthorization(document, options) };
}

/** Creates the connector that a document describes. @throws Error that names the faults of the document */
export function declarativeConnector(given: ConnectorDocument, options: DocumentOptions = {}): Connector {
  const problems = documentProblems(given);
  if (problems.length > 0)
    throw new Error(problems.map(({ path, message }) => `${given.key}, ${path}: ${message}`).join('\n'));
  const { baseUrl, hosts, unitsPerMinute, minuteMs, client = noClient, storedNames = {} } = options;
  const document = {
    ...given,
    entities: given.entities.map((entity) => withStoredNames(entity, storedNames[entity.id] ?? {})),
  };
  if (document.baseUrl === ENTERED_ADDRESS && !hosts && baseUrl === undefined)
    throw new Error(`${document.key} reads from addresses that people enter, so its hosts must be limited`);
  const { evaluator = new DocumentEvaluator(document) } = options;
  const classify = classifierOf(document);
  const source = new PageSource(document, evaluator, (body, answer) =>
    classify({ ...answer, status: 200, body }),
  );
  const { key, title, description, mark, quota, identity, entities } = document;
  return defineConnector({
    key,
    title,
    description,
    ...(mark !== undefined && { mark }),
    quota: {
      unitsPerMinute: unitsPerMinute ?? quota.perMinute,
      concurrency: quota.concurrency,
      ...(minuteMs !== undefined && { minuteMs }),
    },
    apiUrl: baseUrl ?? document.baseUrl,
    accessOf: accessOf(document, { baseUrl }),
    ...(hosts && { hosts }),
    maxAnswerBytes: MAX_ANSWER_BYTES,
    classify,
    pausedUntil: pausedUntilOf(document),
    ...authorizationsOf(document, {
      baseUrl,
      hosts,
      client,
      ...(identity && {
        identity: {
          request: (variables) => evaluator.identityRequest(variables),
          read: (answer, variables) => evaluator.identity(answer, variables),
        },
      }),
    }),
    entities: entities.map((entity) =>
      entityOf(entity, { evaluator, source, shown: shownNames(storedNames[entity.id] ?? {}) }),
    ),
  });
}
