import type { FastifyInstance } from 'fastify';
import {
  createCategory,
  deleteCategory,
  listCategories,
  updateCategory,
} from '../../features/views/index.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Registers the categories of views. */
export function registerCategoryRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  route(app, product, 'categories', async ({ user }) => listCategories(context, user.id));
  route(app, product, 'createCategory', async ({ user, body }) => createCategory(context, user.id, body));
  route(app, product, 'updateCategory', async ({ user, params, body }) =>
    updateCategory(context, user.id, params.id, body),
  );
  route(app, product, 'deleteCategory', async ({ user, params }) => {
    await deleteCategory(context, user.id, params.id);
    return OK;
  });
}
