import type { SharedPage, SharedTile, SharedViewTile } from '@datadeck/contract';
import { vi } from 'vitest';
import { CHART_DATA } from './chart.ts';

/** Returns a tile of a view on a shared page. */
export function sharedTile(id: string, picture: SharedViewTile['picture'], title: string): SharedTile {
  return { id, kind: 'view', width: 6, height: 4, picture, title, columns: [], preferred: [] };
}

export const SHARED_BOARD: SharedPage = {
  kind: 'board',
  title: 'Team reviews',
  tiles: [
    { id: 't', kind: 'text', width: 12, height: 1, text: 'Hello *all*' },
    sharedTile('c', 'chart', 'By author'),
    sharedTile('r', 'table', 'Waiting'),
  ],
  expiresAt: '2026-12-28T09:00:00.000Z',
};

/** Returns the response of a refused call. */
export const refusal = (status: number, code: string, more: object = {}) => ({
  status,
  body: { error: { code, message: `The message of ${code}.`, ...more } },
});
export type Answer = { status?: number; body: unknown };

/** A server with one share. Members replace its answers; an answer that throws is a lost connection. */
export interface ShareServer {
  /** Number of sessions so far; the current one is `dds_{opened}`. */
  opened: number;
  calls: { path: string; search: URLSearchParams; init: RequestInit; token: string | null }[];
  page: SharedPage;
  open: (body: { password?: string }) => Answer | undefined;
  rows: (tileId: string, search: URLSearchParams) => Answer;
  chart: () => Answer;
  /** Whether the server has forgotten a session. */
  isForgotten: (token: string | null) => boolean;
}

/** Serves a shared page. Only its current session is valid. */
export function serveShare(changes: Partial<ShareServer> = {}): ShareServer {
  const server: ShareServer = {
    opened: 0,
    calls: [],
    page: SHARED_BOARD,
    open: () => undefined,
    rows: () => ({ body: { results: [{ number: 1, title: 'Fix it' }], count: 1, isArray: true } }),
    chart: () => ({ body: CHART_DATA }),
    isForgotten: (token) => token !== `Bearer dds_${server.opened}`,
    ...changes,
  };
  function openSession(init: RequestInit): Answer {
    const refused = server.open(JSON.parse(String(init.body)));
    if (refused) return refused;
    server.opened++;
    const body = { session: `dds_${server.opened}`, expiresAt: '2026-11-29T09:00:00.000Z' };
    return { status: 201, body };
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { pathname: path, searchParams: search } = new URL(url, 'http://host');
    const token = new Headers(init.headers).get('authorization');
    server.calls.push({ path, search, init, token });
    const respond = ({ status = 200, body }: Answer) => new Response(JSON.stringify(body), { status });
    if (path === '/api/share/sessions') return respond(openSession(init));
    if (server.isForgotten(token)) return respond(refusal(401, 'unauthenticated'));
    if (path === '/api/share') return respond({ body: server.page });
    const [, tileId = '', kind] = /tiles\/(\w+)\/(\w+)$/.exec(path) ?? [];
    return respond(kind === 'chart' ? server.chart() : server.rows(tileId, search));
  });
  return server;
}
