import {
  describeRefusal,
  formOf,
  type MicrosoftRefusal,
  type MicrosoftService,
  queryOf,
  refusalBody,
  subjectOf,
} from '@datadeck/sandbox/parts';
import type { FastifyInstance } from 'fastify';

/** Refusals of the identity platform that a test has set. */
export class MicrosoftRefusals {
  /** How each authorisation ends instead of showing its pages. */
  authorize: MicrosoftRefusal | undefined;
  /** How each token request ends. */
  token: MicrosoftRefusal | undefined;
  /** Addresses of accounts whose tokens the mail server refuses, because IMAP is switched off for them. */
  readonly withoutImap = new Set<string>();
  /** The tokens and codes that were issued, so that a test can search for them. */
  readonly issued = new Set<string>();

  reset(): void {
    this.authorize = undefined;
    this.token = undefined;
    this.withoutImap.clear();
    this.issued.clear();
  }
}

const SECRETS = ['access_token', 'refresh_token', 'id_token'];

function remember(refusals: MicrosoftRefusals, payload: unknown): void {
  for (const name of SECRETS) {
    const value = (payload as Record<string, unknown>)[name];
    if (typeof value === 'string') refusals.issued.add(value);
  }
}

/** Adds the refusals to the routes of the identity platform, and remembers what it issues. */
export function addMicrosoftRefusals(
  scope: FastifyInstance,
  microsoft: MicrosoftService,
  refusals: MicrosoftRefusals,
): void {
  scope.addHook('preHandler', async (request, reply) => {
    const { pathname } = new URL(request.url, microsoft.url);
    if (pathname.endsWith('/authorize') && refusals.authorize) {
      const back = new URL(queryOf(request).get('redirect_uri') ?? '');
      back.searchParams.set('error', refusals.authorize.error);
      back.searchParams.set('error_description', describeRefusal(refusals.authorize));
      back.searchParams.set('state', queryOf(request).get('state') ?? '');
      return reply.redirect(back.href, 303);
    }
    if (pathname.endsWith('/token') && refusals.token)
      return reply.code(400).send(refusalBody(refusals.token));
    const code = formOf(request).get('code');
    if (code !== null) refusals.issued.add(code);
    if (!pathname.endsWith('/introspect')) return undefined;
    const claims = microsoft.tokens.read(formOf(request).get('token') ?? '', 'access');
    const account = microsoft.accounts.find((one) => subjectOf(one) === claims?.subject);
    return account && refusals.withoutImap.has(account.address) ? reply.send({ active: false }) : undefined;
  });
  scope.addHook('preSerialization', async (_request, _reply, payload) => {
    if (typeof payload === 'object' && payload !== null) remember(refusals, payload);
    return payload;
  });
}
