import { afterEach, expect, it, vi } from 'vitest';
import { refusal, serveShare } from '../../../test-support/share.ts';
import { openerOf, parseShareLink } from './share-link.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ['/share/aB-1_2', '#s-3_c', { share: 'aB-1_2', secret: 's-3_c' }],
  ['/share/a', '', null],
  ['/share/a', '#', null],
  ['/share/', '#s', null],
  ['/share', '#s', null],
  ['/share/a/b', '#s', null],
  ['/share/a', '#s s', null],
  ['/share/a', `#${'s'.repeat(101)}`, null],
  ['/other/a', '#s', null],
])('parses %s%s', (pathname, hash, link) => {
  expect(parseShareLink({ pathname, hash })).toEqual(link);
});

const LINK = { share: 'a', secret: 's' };

it('exchanges the link for a session without the credentials of the browser', async () => {
  const server = serveShare();
  expect((await openerOf(LINK)('pw')).session).toBe('dds_1');
  const [{ init, token }] = server.calls as [(typeof server.calls)[number]];
  expect(JSON.parse(String(init.body))).toEqual({ ...LINK, password: 'pw' });
  expect(init.credentials).toBe('omit');
  expect(token).toBeNull();
});

it('throws the error of the server, and one for a response that is no session', async () => {
  serveShare({ open: () => refusal(404, 'share-ended') });
  await expect(openerOf(LINK)()).rejects.toMatchObject({ status: 404 });
  serveShare({ open: () => ({ body: { session: 1 } }) });
  await expect(openerOf(LINK)()).rejects.toMatchObject({ status: 'PARSING_ERROR' });
});
