import { afterEach, describe, expect, it, vi } from 'vitest';
import { refusal, serveShare } from '../../../test-support/share.ts';
import { createShareClient } from './share-client.ts';
import { openerOf } from './share-link.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const ROWS = { url: '/api/share/tiles/r/rows', method: 'GET' };
const client = () => createShareClient(openerOf({ share: 'a', secret: 's' }));

describe('the client of a shared page', () => {
  it('sends the session and no credentials of the browser', async () => {
    const server = serveShare();
    const { open, send, fetchFile } = client();
    await open();
    await send(ROWS);
    await fetchFile(ROWS);
    expect(server.calls.map(({ token }) => token)).toEqual([null, 'Bearer dds_1', 'Bearer dds_1']);
    expect(server.calls.every(({ init }) => init.credentials === 'omit')).toBe(true);
  });

  it('renews the session once for calls that find it expired together', async () => {
    const server = serveShare();
    const { open, send, fetchFile, getState } = client();
    await open();
    server.isForgotten = (token) => token === 'Bearer dds_1';
    const outcomes = await Promise.all([send(ROWS), send(ROWS), fetchFile(ROWS)]);
    expect(outcomes.every(({ error }) => error === undefined)).toBe(true);
    expect(server.opened).toBe(2);
    expect(getState()).toEqual({ kind: 'open' });
  });

  it('tries a call that stays refused no third time', async () => {
    const server = serveShare();
    const { open, send } = client();
    await open();
    server.isForgotten = () => true;
    expect(await send(ROWS)).toMatchObject({ error: { status: 401 } });
    expect(server.calls).toHaveLength(4);
  });

  it('asks for the password again when the session has expired', async () => {
    const server = serveShare({
      open: ({ password }) => (password === undefined ? refusal(403, 'password-needed') : undefined),
    });
    const { open, send, getState } = client();
    await open();
    expect(getState()).toEqual({ kind: 'password', hasExpired: false });
    await open('pw');
    server.isForgotten = (token) => token === 'Bearer dds_1';
    await send(ROWS);
    expect(getState()).toEqual({ kind: 'password', hasExpired: true });
    await open('pw');
    expect(await send(ROWS)).toHaveProperty('data');
  });

  it('stays open when the session cannot be renewed for another reason', async () => {
    const server = serveShare();
    const { open, send, getState } = client();
    await open();
    server.isForgotten = () => true;
    server.open = () => {
      throw new TypeError('Failed to fetch');
    };
    expect(await send(ROWS)).toMatchObject({ error: { status: 'FETCH_ERROR' } });
    expect(getState()).toEqual({ kind: 'open' });
  });

  it.each([
    [404, 'share-ended'],
    [403, 'sharing-off'],
  ])('ends the page on %i %s, of any call', async (status, code) => {
    const server = serveShare({ rows: () => refusal(status, code) });
    const { open, send, getState } = client();
    await open();
    await send(ROWS);
    expect(getState()).toMatchObject({ kind: 'failed', error: { status } });
    server.rows = () => ({ body: {} });
    await open();
    server.isForgotten = () => true;
    server.open = () => refusal(status, code);
    await send(ROWS);
    expect(getState()).toMatchObject({ kind: 'failed', error: { status } });
  });
});
