import type { ConnectorDocument } from '@datadeck/contract/connector-document';

/** Where a part of a request for a token is, and its name. */
interface PartPlace {
  in: 'body' | 'query' | 'header';
  name: string;
}
type Authentication = ConnectorDocument['authentication'];
type OfClient = Extract<Authentication, { kind: 'client-credentials' | 'refresh-token' }>;

/** The header that is Basic. */
export const BASIC_PART: PartPlace = { in: 'header', name: 'authorization' };

/** The parts by which a client proves its identity; a client without a secret sends its id in the body. */
function clientParts(authentication: OfClient): PartPlace[] {
  const { kind, send, scopes } = authentication;
  const isPublic = kind === 'refresh-token' && authentication.clientSecret === undefined;
  const names = [
    'grant_type',
    ...(kind === 'refresh-token' ? ['refresh_token'] : []),
    ...(scopes.length > 0 ? ['scope'] : []),
    ...(send === 'body' || isPublic ? ['client_id', 'client_secret'] : []),
  ];
  return [
    ...names.map((name): PartPlace => ({ in: 'body', name })),
    ...(send === 'body' || isPublic ? [] : [BASIC_PART]),
  ];
}

/** Returns the parts that a request for a token has without its `tokenParts`. */
export function ownParts(authentication: Authentication): PartPlace[] {
  switch (authentication.kind) {
    case 'client-credentials':
    case 'refresh-token':
      return clientParts(authentication);
    case 'session-token': {
      const { user, send, userParameter, secretParameter } = authentication;
      if (user === undefined) return [];
      if (send === 'header') return [BASIC_PART];
      return [userParameter, secretParameter].map((name) => ({ in: 'body', name }));
    }
    default:
      return [];
  }
}

/**
 * Returns the indexes of parts that repeat one before them, or one that the request has itself (`own`). Only `scopes` may repeat, in a
 * body.
 */
export function repeatedParts(parts: readonly PartPlace[], own: readonly PartPlace[] = []): number[] {
  const keys = [...own, ...parts].map(
    ({ in: place, name }) => `${place} ${place === 'header' ? name.toLowerCase() : name}`,
  );
  return [...parts.keys()].filter((index) => {
    const key = keys[own.length + index] ?? '';
    return key !== 'body scopes' && keys.indexOf(key) < own.length + index;
  });
}
