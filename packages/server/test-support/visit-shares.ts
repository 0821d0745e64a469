import type { CreatedInvitation, EndpointName, ShareSession } from '@datadeck/contract';
import { partsOfInvitation } from './inviting.ts';
import type { Client } from './test-server.ts';

/** Calls an endpoint, which must succeed. */
export type Visit = <T = { _id: string }>(
  client: Client,
  name: EndpointName,
  request?: { path?: readonly string[]; query?: string; body?: unknown },
) => Promise<T>;

/** Opens the page of a board, invites another user to it, and ends the shares. */
export async function visitShares(
  visit: Visit,
  { reader, ada, jonas }: { reader: Client; ada: Client; jonas: Client },
): Promise<void> {
  const [view] = await visit<{ _id: string }[]>(ada, 'views');
  const tile = { id: 'a', kind: 'view', width: 6, height: 4, viewId: view?._id, picture: 'chart', title: '' };
  const board = await visit(ada, 'createBoard', { body: { title: 'b', tiles: [tile] } });
  const target = { boardId: board._id };
  const share = { name: 's', scope: 'board', expiresInDays: 1, rowBudget: 1000, ...target };
  const { sharePath } = await visit<{ sharePath: string }>(ada, 'createToken', { body: share });
  const [, id, secret] = sharePath.split(/\/share\/|#/);
  const opened = await visit<ShareSession>(reader, 'openShare', { body: { share: id, secret } });
  reader.token = opened.session;
  const path = [tile.id];
  await visit(reader, 'sharedPage');
  await visit(reader, 'sharedRows', { path });
  await visit(reader, 'sharedChart', { path, query: '?timeZone=UTC' });
  await visit(reader, 'sharedDownload', { path, query: '?format=csv' });
  const invited = await visit<CreatedInvitation>(ada, 'createInvitation', { body: target });
  const link = partsOfInvitation(invited.path);
  await visit(jonas, 'previewInvitation', { body: link });
  const shared = { path: [(await visit(jonas, 'acceptInvitation', { body: link }))._id] };
  await visit(jonas, 'sharedWithMe');
  await visit(jonas, 'sharedDetails', shared);
  reader.token = (await visit<ShareSession>(jonas, 'openShared', shared)).session;
  await visit(reader, 'sharedPage');
  await visit(jonas, 'copyShared', shared);
  await visit(ada, 'invitations', { query: `?boardId=${target.boardId}` });
  await visit(jonas, 'leaveShared', shared);
  const other = await visit(ada, 'createInvitation', { body: target });
  await visit(ada, 'takeBackInvitation', { path: [other._id] });
  // These end with the account.
  for (const [owner, member] of [
    [ada, jonas],
    [jonas, ada],
  ] as const) {
    const [own] = await visit<{ _id: string }[]>(owner, 'views');
    const created = await visit<CreatedInvitation>(owner, 'createInvitation', { body: { viewId: own?._id } });
    await visit(member, 'acceptInvitation', { body: partsOfInvitation(created.path) });
  }
}
