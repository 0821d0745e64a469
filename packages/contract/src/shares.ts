import { z } from 'zod';
import { TILE_PICTURES, textTileSchema, viewTileSchema } from './boards.ts';
import { chartDataSchema } from './charts.ts';
import { columnLayoutSchema } from './column-layout.ts';
import { defineEndpoints, pageSchema } from './endpoint.ts';
import { BOUNDS } from './limits.ts';
import { DOWNLOAD_FORMATS, exactSchema } from './queries.ts';
import { sortSchema } from './sort.ts';
import { timeZoneSchema } from './time-zones.ts';
import { SHARE_LIMITS } from './token-endpoints.ts';
import { viewResultsSchema } from './views.ts';

/** Kinds of what is shared. */
export const SHARED_KINDS = ['view', 'board'] as const;
export type SharedKind = (typeof SHARED_KINDS)[number];

/**
 * Request to open a shared page: the parts of its link `/share/{share}#{secret}`, and the password that its owner may have set.
 */
export const openShareSchema = z.object({
  share: z.string().max(SHARE_LIMITS.linkPart),
  secret: z.string().max(SHARE_LIMITS.linkPart),
  password: z.string().max(SHARE_LIMITS.password[1]).optional(),
});
export type OpenShare = z.infer<typeof openShareSchema>;

/** A share session: `{ session: 'dds_…', expiresAt: '2026-11-29T09:00:00.000Z' }`. It lasts an hour. */
export const shareSessionSchema = z.object({ session: z.string(), expiresAt: z.string() });
export type ShareSession = z.infer<typeof shareSessionSchema>;

/** The rows of a view on a shared page. Its sort and its parameters are chosen by the server. */
export const sharedViewTileSchema = viewTileSchema
  .pick({ id: true, kind: true, width: true, height: true })
  .extend({
    picture: z.enum(TILE_PICTURES),
    /** Never empty. */
    title: z.string(),
    columns: columnLayoutSchema,
    /** Names of the fields that come first in rows that are whole records: `['number', 'title']`. */
    preferred: z.array(z.string()),
  });
export type SharedViewTile = z.infer<typeof sharedViewTileSchema>;

/** A part of a shared page. */
export const sharedTileSchema = z.discriminatedUnion('kind', [sharedViewTileSchema, textTileSchema]);
export type SharedTile = z.infer<typeof sharedTileSchema>;

/** A shared view or board: `{ kind: 'board', title: 'Team reviews', tiles: […], expiresAt: '…' }`. */
export const sharedPageSchema = z.object({
  kind: z.enum(SHARED_KINDS),
  title: z.string(),
  /** In order. Without the searches of a board, and without its views that were deleted. */
  tiles: z.array(sharedTileSchema),
  /** When the share ends; null: when its owner ends it. */
  expiresAt: z.string().nullable(),
});
export type SharedPage = z.infer<typeof sharedPageSchema>;

const tileId = z.object({ tileId: z.string().max(BOUNDS.key) });

/** Endpoints of shared pages. All but the first need a share session, and know no other caller. */
export const SHARE_ENDPOINTS = defineEndpoints({
  openShare: {
    method: 'POST',
    path: '/api/share/sessions',
    summary: 'Exchange the link of a shared page for a share session of one hour',
    access: 'none',
    body: openShareSchema,
    response: shareSessionSchema,
    status: 201,
  },
  sharedPage: {
    method: 'GET',
    path: '/api/share',
    summary: 'The shared view or board of the share session',
    access: 'share',
    response: sharedPageSchema,
  },
  sharedRows: {
    method: 'GET',
    path: '/api/share/tiles/{tileId}/rows',
    summary: 'A page of the rows of a tile',
    access: 'share',
    params: tileId,
    query: z.object({ page: pageSchema, sort: sortSchema }),
    response: viewResultsSchema,
  },
  sharedChart: {
    method: 'GET',
    path: '/api/share/tiles/{tileId}/chart',
    summary: 'What the chart of a tile draws',
    access: 'share',
    params: tileId,
    query: z.object({ timeZone: timeZoneSchema }),
    response: chartDataSchema,
  },
  sharedDownload: {
    method: 'GET',
    path: '/api/share/tiles/{tileId}/download',
    summary: 'All rows of a tile as a file',
    access: 'share',
    params: tileId,
    query: z.object({ format: z.enum(DOWNLOAD_FORMATS).default('json'), exact: exactSchema }),
  },
});
