import { z } from 'zod';
import { chartDataSchema, viewChartSchema } from './charts.ts';
import {
  accountNameSchema as account,
  defineEndpoints,
  idSchema as id,
  okSchema as ok,
  pageSchema as page,
} from './endpoint.ts';
import { BOUNDS } from './limits.ts';
import { DOWNLOAD_FORMATS, exactSchema, queryViewSchema } from './queries.ts';
import { sortSchema } from './sort.ts';
import {
  allViewsSchema,
  categorySchema,
  createViewSchema,
  deletedViewSchema,
  FEED_FORMATS,
  listedViewSchema,
  restoreViewSchema,
  saveCategorySchema,
  updateViewSchema,
  viewResultsSchema,
  viewSchema,
} from './views.ts';

/** Values of a view's parameters as JSON: `{"author":"octocat"}`; at most 10,000 UTF-16 units. */
export const parametersJsonSchema = z.string().max(10_000).optional();
const key = z.string().max(BOUNDS.key);

/** Endpoints for views, their results, and categories. */
export const VIEW_ENDPOINTS = defineEndpoints({
  views: {
    method: 'GET',
    path: '/api/data/views',
    summary: 'Views of an entity',
    access: 'user',
    query: z.object({ providerId: key.optional(), entityLabel: key.optional() }),
    response: z.array(listedViewSchema),
  },
  allViews: {
    method: 'GET',
    path: '/api/data/views/all',
    summary: 'Views of all entities in order of their titles, pages of 100',
    access: 'user',
    query: z.object({ page }),
    response: allViewsSchema,
  },
  createView: {
    method: 'POST',
    path: '/api/data/views',
    summary: 'Create a view',
    access: 'change',
    body: createViewSchema,
    response: viewSchema,
    status: 201,
  },
  updateView: {
    method: 'PUT',
    path: '/api/data/views/{viewId}',
    summary: 'Update a view',
    access: 'change',
    params: z.object({ viewId: id }),
    body: updateViewSchema,
    response: viewSchema,
  },
  deleteView: {
    method: 'DELETE',
    path: '/api/data/views/{viewId}',
    summary: 'Delete a view',
    access: 'user',
    params: z.object({ viewId: id }),
    response: deletedViewSchema,
  },
  restoreView: {
    method: 'POST',
    path: '/api/data/views/restore',
    summary: 'Undo the deletion of a view',
    access: 'user',
    body: restoreViewSchema,
    response: viewSchema,
    status: 201,
  },
  viewResults: {
    method: 'GET',
    path: '/api/data/views/aggregate/{viewId}',
    summary: "A page of a view's result",
    access: 'user',
    params: z.object({ viewId: id }),
    query: z.object({ page, parameters: parametersJsonSchema, account, sort: sortSchema }),
    response: viewResultsSchema,
  },
  queryView: {
    method: 'POST',
    path: '/api/data/views/query/{viewId}',
    summary: "Evaluate an expression over a view's whole result",
    access: 'user',
    params: z.object({ viewId: id }),
    body: queryViewSchema,
    response: viewResultsSchema,
  },
  viewChart: {
    method: 'POST',
    path: '/api/data/views/chart/{viewId}',
    summary: "What a chart of a view's whole result draws",
    access: 'user',
    params: z.object({ viewId: id }),
    body: viewChartSchema,
    response: chartDataSchema,
  },
  downloadView: {
    method: 'GET',
    path: '/api/data/views/download/{viewId}',
    summary: "A view's whole result as a file",
    access: 'user',
    params: z.object({ viewId: id }),
    query: z.object({
      format: z.enum(DOWNLOAD_FORMATS).default('json'),
      exact: exactSchema,
      parameters: parametersJsonSchema,
      account,
    }),
  },
  viewFeed: {
    method: 'GET',
    path: '/api/data/views/feed/{viewId}',
    summary:
      'A view as a feed for feed readers and calendars, which may pass a token for this view as `token`',
    access: 'user',
    params: z.object({ viewId: id }),
    query: z.object({
      format: z.enum(FEED_FORMATS).default('atom'),
      token: z.string().max(100).optional(),
      parameters: parametersJsonSchema,
      account,
    }),
  },
  categories: {
    method: 'GET',
    path: '/api/data/views/categories',
    summary: 'Categories',
    access: 'user',
    response: z.array(categorySchema),
  },
  createCategory: {
    method: 'POST',
    path: '/api/data/views/category',
    summary: 'Create a category',
    access: 'change',
    body: saveCategorySchema,
    response: categorySchema,
    status: 201,
  },
  updateCategory: {
    method: 'PUT',
    path: '/api/data/views/category/{id}',
    summary: 'Rename a category',
    access: 'change',
    params: z.object({ id }),
    body: saveCategorySchema,
    response: categorySchema,
  },
  deleteCategory: {
    method: 'DELETE',
    path: '/api/data/views/category/{id}',
    summary: 'Delete a category; its views stay',
    access: 'change',
    params: z.object({ id }),
    response: ok,
  },
});
