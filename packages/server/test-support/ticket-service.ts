import { createHash } from 'node:crypto';
import { startSmallServer } from '@datadeck/connectors/small-server';

/** A ticket of the small service: points are a number, which versions of a document store as text or as a number. */
export interface Ticket {
  id: number;
  subject: string;
  points: number;
  state: string;
  updated_at: string;
}

/** The token that the service accepts. */
export const TICKET_TOKEN = 'ticket-token-7f3a91c2';

const START = Date.parse('2026-11-01T08:00:00Z');

/** Creates a ticket by its number. */
export function ticketOf(id: number): Ticket {
  return {
    id,
    subject: `Ticket ${id} about printers`,
    points: id % 13,
    state: id % 3 === 0 ? 'closed' : 'open',
    updated_at: new Date(START + id * 60_000).toISOString(),
  };
}

/** The OAuth client that the service knows. */
export const TICKET_CLIENT = { id: 'datadeck', secret: 'client-secret-51ab77' };

/** The OAuth of the service: codes with PKCE, and tokens that are renewed. */
class TicketTokens {
  readonly #challenges = new Map<string, string>();
  #count = 0;
  /** The token of now; undefined before the first one. */
  current: string | undefined;
  refused = 0;

  /** Returns the address to which the page of the service leads back, as if the person had agreed. */
  agree(url: URL): string {
    const { redirect_uri = '', state = '', code_challenge = '' } = Object.fromEntries(url.searchParams);
    const code = `code-${this.#challenges.size}`;
    this.#challenges.set(code, code_challenge);
    const back = new URL(redirect_uri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', state);
    return back.href;
  }

  /** Answers a request for tokens. */
  exchange(form: URLSearchParams): { status: number; body: unknown } {
    const isClient =
      form.get('client_id') === TICKET_CLIENT.id && form.get('client_secret') === TICKET_CLIENT.secret;
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isCode = this.#challenges.get(form.get('code') ?? '') === verifier;
    const isRenewal = this.current !== undefined && form.get('refresh_token') === `refresh-${this.#count}`;
    if (!isClient) return { status: 401, body: { error: 'invalid_client' } };
    if (!isCode && !isRenewal) {
      this.refused += 1;
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    this.#count += 1;
    this.current = `access-token-${this.#count}-19fe`;
    return {
      status: 200,
      body: {
        access_token: this.current,
        token_type: 'bearer',
        refresh_token: `refresh-${this.#count}`,
        expires_in: 3600,
      },
    };
  }
}

/** A help desk with an API as many have it: pages by number, newest first, a bearer token. */
export async function startTicketService(count: number) {
  const tokens = new TicketTokens();
  const tickets = Array.from({ length: count }, (_, index) => ticketOf(index + 1));
  const server = await startSmallServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/authorize') return response.writeHead(302, { location: tokens.agree(url) }).end();
    if (url.pathname === '/token') {
      let form = '';
      for await (const chunk of request) form += chunk;
      const { status, body } = tokens.exchange(new URLSearchParams(form));
      return send(status, body);
    }
    const [, token] = request.headers.authorization?.split(' ') ?? [];
    if (token === undefined || (token !== TICKET_TOKEN && token !== tokens.current))
      return send(401, { error: 'unauthorized' });
    if (url.pathname === '/api/me') return send(200, { id: 'desk-1', name: 'ada@helpdesk.example' });
    if (url.pathname !== '/api/tickets') return send(404, { error: 'not found' });
    const size = Number(url.searchParams.get('per_page') ?? 50);
    const page = Number(url.searchParams.get('page') ?? 1);
    // The newest is the last one.
    const end = tickets.length - (page - 1) * size;
    const shown = tickets.slice(Math.max(0, end - size), Math.max(0, end)).reverse();
    return send(200, { tickets: shown, total: tickets.length });
  });
  return { ...server, tickets, tokens };
}

/** Returns a document of the service. @param columns those beside subject and change */
export function ticketDocument(
  url: string,
  columns: Record<string, { type: string; value: string }> = {
    points: { type: 'integer', value: 'record.points' },
  },
): Record<string, unknown> {
  return {
    version: 1,
    key: 'helpdesk',
    title: 'Help desk',
    description: 'Tickets of the support team.',
    baseUrl: url,
    authentication: { kind: 'bearer' },
    connect: { secret: { name: 'token', label: 'Token' } },
    identity: { request: { path: '/api/me' }, subject: 'response.id', account: 'response.name' },
    quota: { perMinute: 60_000, concurrency: 4 },
    failed: '$not($type(response.tickets) = "array" or $exists(response.name))',
    entities: [
      {
        id: 'helpdesk-tickets',
        title: 'Tickets',
        description: 'Tickets with their state.',
        request: { path: '/api/tickets' },
        records: 'response.tickets',
        total: 'response.total',
        sortedBy: 'updated_at',
        pagination: { kind: 'page', parameter: 'page', size: 500, sizeParameter: 'per_page' },
        incremental: { column: 'updated_at' },
        key: 'record.id',
        date: 'record.updated_at',
        columns: {
          subject: { type: 'text', value: 'record.subject' },
          updated_at: { type: 'time', value: 'record.updated_at' },
          ...columns,
        },
        titleColumn: 'subject',
        templates: [
          { key: 'helpdesk-all', kind: 'records', title: 'All tickets', description: 'Every ticket.' },
          {
            key: 'helpdesk-rows',
            kind: 'rows',
            title: 'Tickets by change',
            description: 'The columns of every ticket.',
            columns: ['subject', ...Object.keys(columns), 'updated_at'],
            orderBy: [{ by: 'updated_at', descending: true }],
          },
          ...Object.keys(columns)
            .slice(0, 1)
            .map((column) => ({
              key: 'helpdesk-groups',
              kind: 'groups',
              title: 'By column',
              description: 'Tickets by a column.',
              by: column,
              measures: [{ name: 'tickets', of: 'count' }],
              orderBy: [{ by: 'tickets', descending: true }, { by: column }],
            })),
        ],
      },
    ],
  };
}

/** Returns the document of the service with its consent page. */
export function consentDocument(url: string): Record<string, unknown> {
  return {
    ...ticketDocument(url),
    connect: {},
    authentication: {
      kind: 'oauth-code',
      authorizationUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      scopes: ['tickets:read'],
      parameters: { access_type: 'offline' },
    },
  };
}
