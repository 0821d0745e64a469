import type { FastifyInstance } from 'fastify';
import { publishInvalidation } from '../../features/notifications/index.ts';
import {
  acceptInvitation,
  announceShares,
  copyShared,
  createInvitation,
  leaveShared,
  listInvitations,
  listSharedWithMe,
  openShared,
  previewInvitation,
  readShared,
  requireSharing,
  takeBackInvitation,
} from '../../features/shares/index.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Registers sharing between accounts. What ends a share also works while sharing is off. */
export function registerInvitationRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  const announce = (...userIds: (string | null)[]) =>
    announceShares(
      context,
      userIds.filter((id) => id !== null),
    );
  route(app, product, 'invitations', ({ user, query }) => listInvitations(context, user.id, query));
  route(app, product, 'createInvitation', async ({ user, body }) => {
    requireSharing(context);
    const created = await createInvitation(context, user.id, body);
    await announce(user.id);
    return created;
  });
  route(app, product, 'takeBackInvitation', async ({ user, params }) => {
    await announce(user.id, await takeBackInvitation(context, user.id, params.invitationId));
    return OK;
  });
  route(app, product, 'previewInvitation', async ({ user, body }) => {
    requireSharing(context);
    return previewInvitation(context, user.id, body);
  });
  route(app, product, 'acceptInvitation', async ({ user, body }) => {
    requireSharing(context);
    const { accepted, ownerId } = await acceptInvitation(context, user.id, body);
    await announce(user.id, ownerId);
    return accepted;
  });
  route(app, product, 'sharedWithMe', ({ user, query }) => listSharedWithMe(context, user.id, query.page));
  route(app, product, 'sharedDetails', async ({ user, params }) => {
    requireSharing(context);
    return readShared(context, user.id, params.sharedId);
  });
  route(app, product, 'openShared', async ({ user, params }) => {
    requireSharing(context);
    return openShared(context, user.id, params.sharedId);
  });
  route(app, product, 'copyShared', async ({ user, params }) => {
    requireSharing(context);
    const copy = await copyShared(context, registry, { userId: user.id, id: params.sharedId });
    await publishInvalidation(context, user.id, ['Views', 'Boards']);
    return copy;
  });
  route(app, product, 'leaveShared', async ({ user, params }) => {
    await announce(user.id, await leaveShared(context, user.id, params.sharedId));
    return OK;
  });
}
