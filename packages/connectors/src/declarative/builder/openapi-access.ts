import { isRecord } from '@datadeck/contract/table-columns';
import type { OpenApiReader } from './openapi-schema.ts';
import { BASE, bearerParts, UNKNOWN_BASE } from './start-example.ts';
import type { Draft } from './started.ts';

const RESERVED =
  /^(?:host|cookie|content-length|connection|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;

/** Returns the base address of a description. */
export function baseUrlOf(reader: OpenApiReader, remarks: string[]): string {
  const [server] = reader.list(reader.root.servers).filter(isRecord);
  const variables = reader.object(server?.variables);
  const given = typeof server?.url === 'string' ? server.url.slice(0, 1000) : '';
  const filled = given.replace(/\{([^{}]*)\}/g, (_, name: string) =>
    String(reader.object(variables[name]).default ?? name),
  );
  const url = URL.parse(filled, `${UNKNOWN_BASE}/`);
  const base = url ? `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, '') : '';
  const isKnown = /^https?:\/\//.test(filled);
  if (!isKnown) remarks.push('The description names no server: write the base address.');
  if (given !== filled)
    remarks.push('The address of the server has parts that differ from account to account: check it.');
  if (BASE.test(base) && base.length <= 300) return base;
  remarks.push('The address of the server cannot be used: write the base address.');
  return UNKNOWN_BASE;
}

/** Returns a sign-in by client credentials, if the scheme has it. */
function clientParts(reader: OpenApiReader, scheme: unknown): Draft | undefined {
  const flow = reader.object(reader.object(reader.object(scheme).flows).clientCredentials);
  const { tokenUrl } = flow;
  if (typeof tokenUrl !== 'string' || tokenUrl.length > 300 || !BASE.test(tokenUrl)) return undefined;
  const scopes = Object.keys(reader.object(flow.scopes)).filter((one) => /^[\x21-\x7e]{1,200}$/.test(one));
  return {
    authentication: { kind: 'client-credentials', user: 'clientId', tokenUrl, scopes: scopes.slice(0, 30) },
    connect: {
      fields: [{ name: 'clientId', label: 'Client id' }],
      secret: { name: 'clientSecret', label: 'Client secret' },
    },
  };
}

/** Returns how requests are authenticated: by the first scheme that can be used. */
export function accessParts(reader: OpenApiReader, remarks: string[]): Draft {
  const schemes = reader.object(reader.object(reader.root.components).securitySchemes);
  const required = reader
    .list(reader.root.security)
    .filter(isRecord)
    .flatMap((one) => Object.keys(one));
  const names = [...required, ...Object.keys(schemes)].filter((name) => Object.hasOwn(schemes, name));
  for (const name of names) {
    const { type, scheme, in: place, name: parameter } = reader.object(schemes[name]);
    if (type === 'http' && String(scheme).toLowerCase() === 'bearer') return bearerParts();
    if (type === 'http' && String(scheme).toLowerCase() === 'basic')
      return {
        authentication: { kind: 'basic', user: 'user' },
        connect: {
          fields: [{ name: 'user', label: 'User' }],
          secret: { name: 'password', label: 'Password or token' },
        },
      };
    const isName =
      typeof parameter === 'string' && /^[A-Za-z0-9_-]{1,100}$/.test(parameter) && !RESERVED.test(parameter);
    if (type === 'apiKey' && isName && (place === 'header' || place === 'query'))
      return {
        authentication: { kind: 'api-key', in: place, name: parameter },
        connect: { secret: { name: 'key', label: 'API key' } },
      };
    const client = clientParts(reader, schemes[name]);
    if (client) return client;
    if (type === 'oauth2' || type === 'openIdConnect') {
      remarks.push('The service signs in by OAuth; the document takes a token that a person enters.');
      return bearerParts('Access token');
    }
  }
  if (names.length > 0) remarks.push('No way to sign in of the description can be used: choose one.');
  else remarks.push('The description names no way to sign in: requests are sent without a secret.');
  return names.length > 0 ? bearerParts() : { authentication: { kind: 'none' }, connect: {} };
}
