import type { ConnectorTrialResult } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { ProviderError, urlOf } from '../../sdk/index.ts';
import type { DocumentProblem } from '../document-problems.ts';
import { EntityMapper, inputOf } from '../entity-mapper.ts';
import { compileBounded } from '../expression.ts';
import { keysBeside } from '../form-values.ts';
import { pathExpressions } from '../path-holes.ts';
import { RequestBuilder } from '../request-builder.ts';
import { sentBodyOf, type WireRequest } from '../wire-request.ts';
import { messageOfError } from './check-expressions.ts';
import { HIDDEN, SecretHider } from './hide-secret.ts';
import type { TrialRequest, TrialRequestTask } from './trial-task.ts';

type Shown = NonNullable<ConnectorTrialResult['request']>;

/** Longest body, address and header of a request that are shown. */
const MAX_SHOWN = 20_000;
/** What Node sends in a header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns what is before the secret in a header. @param header in small letters */
function prefixOf(authentication: ConnectorDocument['authentication'], header: string): string {
  const further = keysBeside(authentication).find(
    (key) => key.in === 'header' && key.name.toLowerCase() === header,
  );
  if (further) return further.prefix;
  if (authentication.kind === 'session-token') return authentication.prefix;
  if (authentication.kind !== 'api-key') return authentication.kind === 'basic' ? 'Basic ' : 'Bearer ';
  const { value, others = [], ...key } = authentication;
  const first = { ...key, prefix: value === undefined ? key.prefix : value.replace(/\{.*/, '') };
  const found = [first, ...others].find((one) => one.in === 'header' && one.name.toLowerCase() === header);
  return found?.prefix ?? '';
}

/** Returns a request as a person sees it: the secret is hidden where it is sent. Undefined for an address that is at another host. */
function shownRequest(
  request: WireRequest,
  { authentication }: ConnectorDocument,
  { access, hider }: { access: TrialRequestTask['access']; hider: SecretHider },
): Shown | undefined {
  const url = addressOf(request, access.apiUrl);
  if (!url) return undefined;
  const { headers, body, bodyFormat } = request;
  const sent = sentBodyOf(request);
  for (const name of access.query) url.searchParams.delete(name);
  const address = hider.shorten(url.href, MAX_SHOWN);
  const proof = access.query.map((name) => `${encodeURIComponent(name)}=${HIDDEN}`).join('&');
  const shown = Object.entries(headers).map(([name, value]) => [name, hider.shorten(value, MAX_SHOWN)]);
  return {
    method: sent?.method ?? 'GET',
    url: address + (proof && (url.search === '' ? '?' : '&') + proof),
    headers: {
      accept: '*/*',
      ...sent?.headers,
      ...Object.fromEntries(shown),
      ...Object.fromEntries(access.headers.map((name) => [name, prefixOf(authentication, name) + HIDDEN])),
    },
    body: body
      ? hider.shorten(bodyFormat ? (sent?.text ?? '') : JSON.stringify(body, null, 2), MAX_SHOWN)
      : null,
  };
}

function addressOf(request: Pick<WireRequest, 'path' | 'query'>, apiUrl: string): URL | undefined {
  try {
    return urlOf(request, apiUrl);
  } catch {
    return undefined;
  }
}

/** Builds the first request of an entity, or that of the identity. Runs in the trial's thread. */
export function trialRequest({
  document: text,
  part: place,
  variables,
  access,
  secrets,
}: TrialRequestTask): TrialRequest {
  const document = JSON.parse(text) as ConnectorDocument;
  const hider = new SecretHider(secrets);
  const failed = (problems: DocumentProblem[]) => ({ problems: problems.map((one) => hider.problem(one)) });
  const entity = place === 'identity' ? undefined : document.entities[place];
  const described = entity?.request ?? document.identity?.request;
  if (!described) return failed([{ path: 'entities', message: 'There is no such entity.' }]);
  const at = entity ? `entities.${place}.request` : 'identity.request';
  const what = entity?.title ?? `${document.title}’s account`;
  let part: string | undefined;
  try {
    if (entity?.parts !== undefined) [part] = new EntityMapper(document, entity).parts(variables);
  } catch (error) {
    return failed([{ path: `entities.${place}.parts`, message: messageOfError(error) }]);
  }
  if (entity?.parts !== undefined && part === undefined)
    return failed([{ path: `entities.${place}.parts`, message: 'It yields no part to request.' }]);
  const input = inputOf({ ...variables, ...(part !== undefined && { part }) });
  try {
    const request = new RequestBuilder(what, document, described, entity).first(input);
    const wrong = Object.entries(request.headers).filter(([, value]) => !HEADER_VALUE.test(value));
    if (wrong.length > 0)
      return failed(
        wrong.map(([name]) => ({
          path: `${at}.headers.${name}`,
          message: 'Its value has characters that no header can have.',
        })),
      );
    const shown = shownRequest(request, document, { access, hider });
    const message = 'The address of the request cannot be read, or is at another host.';
    return shown
      ? { built: { request, shown, ...(part !== undefined && { part }) }, problems: [] }
      : failed([{ path: `${at}.path`, message }]);
  } catch (error) {
    const { path, query, headers, body } = described;
    const parts: [path: string, expression: string][] = [
      ...pathExpressions(path).map((hole): [string, string] => [`${at}.path`, hole]),
      ...Object.entries(query).map(([name, one]): [string, string] => [`${at}.query.${name}`, one]),
      ...Object.entries(headers).map(([name, one]): [string, string] => [`${at}.headers.${name}`, one]),
      ...(body === undefined ? [] : [[`${at}.body`, body] as [string, string]]),
    ];
    const failing = parts.flatMap(([where, expression]): DocumentProblem[] => {
      try {
        compileBounded(expression).evaluate(input);
        return [];
      } catch (cause) {
        return [{ path: where, message: messageOfError(cause) }];
      }
    });
    if (failing.length > 0) return failed(failing);
    const isEmpty = error instanceof ProviderError && error.failure === 'invalid';
    const where = isEmpty ? `${at}.path` : body === undefined ? at : `${at}.body`;
    return failed([{ path: where, message: messageOfError(error) }]);
  }
}
