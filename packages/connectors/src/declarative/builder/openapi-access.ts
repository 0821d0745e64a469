import { isRecord } from '@datadeck/contract/table-columns';
import type { OpenApiReader } from './openapi-schema.ts';
import { bearerParts, UNKNOWN_BASE } from './start-example.ts';
import type { Draft } from './started.ts';

const BASE = /^https:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9._~/-]*)?$/;
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
  const base = url ? `https://${url.host}${url.pathname}`.replace(/\/$/, '') : '';
  const isKnown = /^https?:\/\//.test(filled);
  if (!isKnown) remarks.push('The description names no server: write the base address.');
  if (given !== filled)
    remarks.push('The address of the server has parts that differ from account to account: check it.');
  if (BASE.test(base) && base.length <= 300) return base;
  remarks.push('The address of the server cannot be used: write the base address.');
  return UNKNOWN_BASE;
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
    if (type === 'oauth2' || type === 'openIdConnect') {
      remarks.push('The service signs in by OAuth; the document takes a token that a person enters.');
      return bearerParts('Access token');
    }
  }
  if (names.length > 0) remarks.push('No way to sign in of the description can be used: choose one.');
  else remarks.push('The description names no way to sign in: requests are sent without a secret.');
  return names.length > 0 ? bearerParts() : { authentication: { kind: 'none' }, connect: {} };
}
