import { z } from 'zod';
import { chartSchema } from './charts.ts';
import { defineEndpoints, idSchema as id, okSchema as ok } from './endpoint.ts';
import { BOUNDS } from './limits.ts';
import { SEARCH_LIMITS } from './search-query.ts';

/** Columns of a board's grid on wide screens; a phone shows one tile below the other. */
export const BOARD_COLUMNS = 12;
/** Smallest and largest size of a tile: width in columns, height in rows of the grid. */
export const TILE_SIZES = { width: [2, BOARD_COLUMNS], height: [1, 12] } as const;
/** Longest texts of boards and tiles, UTF-16 units. */
export const BOARD_TEXTS = { title: 50, tileTitle: 80, markdown: 5000 } as const;

/** How a tile shows the rows of its view. */
export const TILE_PICTURES = ['chart', 'table', 'list'] as const;
export type TilePicture = (typeof TILE_PICTURES)[number];

const boardTitle = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(BOARD_TEXTS.title, `Must be ${BOARD_TEXTS.title} characters or less`);
const size = ([least, most]: readonly [number, number]) =>
  z.number().int().min(least, `Must be ${least} or more`).max(most, `Must be ${most} or less`);
const tileTitle = z
  .string()
  .trim()
  .max(BOARD_TEXTS.tileTitle, `Must be ${BOARD_TEXTS.tileTitle} characters or less`);

const tileBase = {
  /** Chosen by the client, different for each tile of a board, e.g. `k3x9`. */
  id: z
    .string()
    .max(40)
    .regex(/^[A-Za-z0-9-]{1,40}$/, 'Must be letters, digits and -, at most 40'),
  width: size(TILE_SIZES.width),
  height: size(TILE_SIZES.height),
};

/** The rows of a view: `{ id: 'a', kind: 'view', width: 6, height: 4, viewId: '…', picture: 'table', title: '' }`. */
export const viewTileSchema = z.object({
  ...tileBase,
  kind: z.literal('view'),
  viewId: id.max(BOUNDS.key),
  picture: z.enum(TILE_PICTURES),
  /** Absent: the chart that is kept with the view, else the proposed one. */
  chart: chartSchema.optional(),
  /** Empty: the title of the view. */
  title: tileTitle,
});
export type ViewTile = z.infer<typeof viewTileSchema>;

/** A text in Markdown: `{ id: 'b', kind: 'text', width: 12, height: 1, text: '# This week' }`. */
export const textTileSchema = z.object({
  ...tileBase,
  kind: z.literal('text'),
  text: z.string().max(BOARD_TEXTS.markdown, `Must be ${BOARD_TEXTS.markdown} characters or less`),
});
export type TextTile = z.infer<typeof textTileSchema>;

/** The newest matches of a search: `{ id: 'c', kind: 'search', width: 6, height: 4, search: 'is:unread', title: '' }`. */
export const searchTileSchema = z.object({
  ...tileBase,
  kind: z.literal('search'),
  search: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(SEARCH_LIMITS.text, `Must be ${SEARCH_LIMITS.text} characters or less`),
  /** Of these records alone; absent: all. */
  providerId: id.max(BOUNDS.key).optional(),
  entityLabel: id.max(BOUNDS.key).optional(),
  /** Empty: the search itself. */
  title: tileTitle,
});
export type SearchTile = z.infer<typeof searchTileSchema>;

/** A part of a board. */
export const tileSchema = z.discriminatedUnion('kind', [viewTileSchema, textTileSchema, searchTileSchema]);
export type Tile = z.infer<typeof tileSchema>;

/** Returns the ids of the views that tiles show. */
export function viewIdsOf(tiles: readonly Tile[]): string[] {
  return tiles.flatMap((tile) => (tile.kind === 'view' ? tile.viewId : []));
}

/** Tiles in their order: the grid places each in the first gap that it fits. */
const tilesSchema = z
  .array(tileSchema)
  .max(BOUNDS.tilesPerBoard, `At most ${BOUNDS.tilesPerBoard} tiles`)
  .refine(
    (tiles) => new Set(tiles.map((tile) => tile.id)).size === tiles.length,
    'Each tile must have an id of its own',
  );

/** A board: `{ _id: '…', title: 'My week', tiles: [], version: 3, updated_at: '…' }`. */
export const boardSchema = z.object({
  _id: z.string(),
  title: z.string(),
  tiles: z.array(tileSchema),
  /** Grows with each change. */
  version: z.number().int(),
  /** Whether it is mailed to its user on Mondays. */
  weeklyMail: z.boolean(),
  updated_at: z.string(),
});
export type Board = z.infer<typeof boardSchema>;

/** A board in a list. */
export const listedBoardSchema = boardSchema
  .omit({ tiles: true, version: true, weeklyMail: true })
  .extend({ tileCount: z.number().int() });
export type ListedBoard = z.infer<typeof listedBoardSchema>;

/** Request to create a board. */
export const createBoardSchema = z.object({ title: boardTitle, tiles: tilesSchema.default([]) });
export type CreateBoard = z.infer<typeof createBoardSchema>;

/** Request to change a board. @param version that of the board which was changed; another one is refused */
export const updateBoardSchema = z.object({
  title: boardTitle,
  tiles: tilesSchema,
  version: z.number().int().min(1),
});
export type UpdateBoard = z.infer<typeof updateBoardSchema>;

const boardId = z.object({ boardId: id });

/** Keys of the boards that are offered to everybody. */
export const READY_BOARD_KEYS = ['my-week', 'team-reviews', 'inbox'] as const;
export type ReadyBoardKey = (typeof READY_BOARD_KEYS)[number];

/** A ready-made board that was added: `{ board, createdViews: ['Time to merge'], reusedViews: [], leftOut: ['Unread mails'] }`. */
export const addedBoardSchema = z.object({
  board: boardSchema,
  /** Titles of the views that were created for it, and of unchanged ones of the user that it shows instead. */
  createdViews: z.array(z.string()),
  reusedViews: z.array(z.string()),
  /** Tiles that it lacks because no provider with their data is connected. */
  leftOut: z.array(z.string()),
});
export type AddedBoard = z.infer<typeof addedBoardSchema>;

/** Endpoints of boards. */
export const BOARD_ENDPOINTS = defineEndpoints({
  boards: {
    method: 'GET',
    path: '/api/data/boards',
    summary: `Boards in order of their titles, at most ${BOUNDS.boardsPerUser}`,
    access: 'user',
    response: z.array(listedBoardSchema),
  },
  board: {
    method: 'GET',
    path: '/api/data/boards/{boardId}',
    summary: 'A board with its tiles',
    access: 'user',
    params: boardId,
    response: boardSchema,
  },
  createBoard: {
    method: 'POST',
    path: '/api/data/boards',
    summary: 'Create a board',
    access: 'change',
    body: createBoardSchema,
    response: boardSchema,
    status: 201,
  },
  addReadyBoard: {
    method: 'POST',
    path: '/api/data/boards/ready',
    summary: 'Add a ready-made board, with its views over the connected providers',
    access: 'change',
    body: z.object({ key: z.enum(READY_BOARD_KEYS) }),
    response: addedBoardSchema,
    status: 201,
  },
  updateBoard: {
    method: 'PUT',
    path: '/api/data/boards/{boardId}',
    summary: 'Change the title or the tiles of a board',
    access: 'change',
    params: boardId,
    body: updateBoardSchema,
    response: boardSchema,
  },
  addTile: {
    method: 'POST',
    path: '/api/data/boards/{boardId}/tiles',
    summary: 'Add a tile at the end of a board',
    access: 'change',
    params: boardId,
    body: tileSchema,
    response: boardSchema,
    status: 201,
  },
  mailBoard: {
    method: 'PUT',
    path: '/api/data/boards/{boardId}/mail',
    summary: 'Mail a board on Mondays at 7:00 in the time zone of the account, or stop that',
    access: 'change',
    params: boardId,
    body: z.object({ weekly: z.boolean() }),
    response: boardSchema,
  },
  deleteBoard: {
    method: 'DELETE',
    path: '/api/data/boards/{boardId}',
    summary: 'Delete a board; its views stay',
    access: 'change',
    params: boardId,
    response: ok,
  },
});
