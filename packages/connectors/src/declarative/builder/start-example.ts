import type { DocumentStart, StartedDocument } from '@datadeck/contract';
import { exceedsShape } from '@datadeck/contract/json-shape';
import { ANSWER_LIMITS } from '../decode-limits.ts';
import { isSecretName, isSecretParameter } from '../secret-parameter.ts';
import { guessEntity } from './guess-entity.ts';
import { type Draft, startedOf, UniqueKeys } from './started.ts';

type ExampleStart = Extract<DocumentStart, { from: 'example' }>;

/** Base address while the real one is unknown. */
export const UNKNOWN_BASE = 'https://api.example.com';
export const BASE = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9._~/-]*)?$/;
/** Parts of a path that belong to the address of an API. */
const API_PART = /^(?:api|rest|v\d{1,3}(?:\.\d{1,3})?|\d{4}-\d\d(?:-\d\d)?)$/i;
/** Longest key that leaves room for the id of an entity. */
const MAX_KEY = 26;

/** Returns a key that leaves room for the ids of entities, which begin with it. */
export function shortKey(key: string, remarks: string[]): string {
  if (key.length <= MAX_KEY) return key;
  const short = key.slice(0, MAX_KEY).replace(/-$/, '');
  remarks.push(`The key was shortened to ${short}, because the ids of lists begin with it.`);
  return short;
}

/** Returns the members of a document that authenticate by a token. */
export function bearerParts(label = 'API token'): Draft {
  return { authentication: { kind: 'bearer' }, connect: { secret: { name: 'token', label } } };
}

interface Address {
  baseUrl: string;
  path: string;
  query: Map<string, string>;
  secretName?: string;
}

/** Splits the address of an answer. */
function readAddress(address: string, remarks: string[]): Address {
  const url = URL.parse(address) ?? URL.parse(`https://${address}`);
  const origin = url && `${url.protocol}//${url.host}`;
  if (!url || !/^https?:$/.test(url.protocol) || !origin || !BASE.test(origin)) {
    remarks.push('The address could not be read: write the base address and the path of the list.');
    return { baseUrl: UNKNOWN_BASE, path: '/items', query: new Map() };
  }
  if (url.protocol === 'http:')
    remarks.push('The address has no TLS: the operator must name its host in CONNECT_HOSTS.');
  if (url.username !== '' || url.password !== '')
    remarks.push('User and password of the address were left out.');
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const last = parts.slice(0, -1).findLastIndex((part) => API_PART.test(part));
  const base = [origin, ...parts.slice(0, last + 1)].join('/');
  const isBase = BASE.test(base) && base.length <= 300;
  const path = `/${parts.slice(isBase ? last + 1 : 0).join('/')}`
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D');
  const query = new Map(url.searchParams);
  const secret = [...query].filter(([name, value]) => isSecretParameter(name, value)).map(([name]) => name);
  const usable = secret.filter((name) => /^[A-Za-z0-9_-]{1,100}$/.test(name));
  const secretName = usable.find(isSecretName) ?? usable[0];
  for (const name of secret) query.delete(name);
  const others = secret.filter((name) => name !== secretName).map((name) => name.slice(0, 40));
  if (others.length > 0)
    remarks.push(
      `${others.slice(0, 5).join(', ')} may be secret and ${others.length > 1 ? 'were' : 'was'} left out of the address: add what the service needs.`,
    );
  return { baseUrl: isBase ? base : origin, path, query, ...(secretName !== undefined && { secretName }) };
}

function readAnswer(answer: string, remarks: string[]): unknown {
  if (answer.trim() === '') {
    remarks.push('There is no answer: columns could not be guessed.');
    return [];
  }
  try {
    if (!exceedsShape(answer, ANSWER_LIMITS)) return JSON.parse(answer);
    remarks.push('The answer has too many values or levels. Paste a shorter one.');
  } catch {
    remarks.push(
      'The answer is not JSON. If the service sends XML, CSV or a feed, choose how it is decoded, and write where the records are.',
    );
  }
  return [];
}

/** Writes a document from an answer and its address; see `draftDocument`. Runs in the builder's thread. */
export function startExample({ key: given, title, address, answer }: ExampleStart): StartedDocument {
  const remarks: string[] = [];
  const key = shortKey(given, remarks);
  const { baseUrl, path, query, secretName } = readAddress(address, remarks);
  const response = readAnswer(answer, remarks);
  const name = decodeURIComponentSafely(path.split('/').findLast((part) => /[a-z]/i.test(part)) ?? 'items');
  const keys = { ids: new UniqueKeys(), templates: new UniqueKeys() };
  const { entity, remarks: guesses } = guessEntity(key, { name, path, query, response }, keys);
  const access =
    secretName === undefined
      ? bearerParts()
      : {
          authentication: { kind: 'api-key', in: 'query', name: secretName },
          connect: { secret: { name: 'token', label: 'API key' } },
        };
  remarks.push(
    secretName === undefined
      ? 'Requests are authenticated by a bearer token: a guess.'
      : `Requests are authenticated by the parameter ${secretName}; its value was left out.`,
  );
  const draft = {
    version: 1,
    key,
    title,
    description: `Synchronize ${String(entity.title).toLowerCase()} of ${title}.`.slice(0, 300),
    baseUrl,
    ...access,
    quota: { perMinute: 60 },
    entities: [entity],
  };
  return startedOf(draft, [...remarks, ...guesses]);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
