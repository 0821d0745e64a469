import type { FastifyInstance } from 'fastify';
import {
  addReadyBoard,
  addTile,
  createBoard,
  listBoards,
  mailWeekly,
  readBoard,
  updateBoard,
} from '../../features/boards/index.ts';
import { deleteBoardWithInvitations } from '../delete-board.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Registers the boards. */
export function registerBoardRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'boards', async ({ user }) => listBoards(context, user.id));
  route(app, product, 'board', async ({ user, params }) => readBoard(context, user.id, params.boardId));
  route(app, product, 'createBoard', async ({ user, body }) => createBoard(context, user.id, body));
  route(app, product, 'addReadyBoard', async ({ user, body }) =>
    addReadyBoard(context, registry, user.id, body.key),
  );
  route(app, product, 'updateBoard', async ({ user, params, body }) =>
    updateBoard(context, user.id, { ...body, id: params.boardId }),
  );
  route(app, product, 'addTile', async ({ user, params, body }) =>
    addTile(context, user.id, { id: params.boardId, tile: body }),
  );
  route(app, product, 'mailBoard', async ({ user, params, body }) =>
    mailWeekly(context, user.id, { id: params.boardId, weekly: body.weekly }),
  );
  route(app, product, 'deleteBoard', async ({ user, params }) => {
    await deleteBoardWithInvitations(product, user.id, params.boardId);
    return OK;
  });
}
