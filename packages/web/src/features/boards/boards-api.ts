import {
  type CreateBoard,
  ENDPOINTS,
  type ReadyBoardKey,
  type Tile,
  type UpdateBoard,
  type AddedBoard as WireAddedBoard,
  type Board as WireBoard,
  type ListedBoard as WireListedBoard,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { withId } from '../../api/models.ts';
import { refreshes } from '../../api/refreshes.ts';
import { byTitle } from '../../ui/by-title.ts';

export type Board = Omit<WireBoard, '_id'> & { id: string };
export type AddedReadyBoard = Omit<WireAddedBoard, 'board'> & { board: Board };
export type ListedBoard = Omit<WireListedBoard, '_id'> & { id: string };

const boardsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    boards: build.query<ListedBoard[], void>({
      query: () => callOf('boards'),
      rawResponseSchema: ENDPOINTS.boards.response,
      transformResponse: (boards: WireListedBoard[]) => byTitle(boards.map(withId)),
      providesTags: ['Boards'],
    }),
    board: build.query<Board, string>({
      query: (boardId) => callOf('board', { params: { boardId } }),
      rawResponseSchema: ENDPOINTS.board.response,
      transformResponse: (board: WireBoard) => withId(board),
      providesTags: ['Boards'],
    }),
    createBoard: build.mutation<Board, CreateBoard>({
      query: (body) => callOf('createBoard', { body }),
      rawResponseSchema: ENDPOINTS.createBoard.response,
      transformResponse: (board: WireBoard) => withId(board),
      invalidatesTags: refreshes('Boards'),
    }),
    addReadyBoard: build.mutation<AddedReadyBoard, ReadyBoardKey>({
      query: (key) => callOf('addReadyBoard', { body: { key } }),
      rawResponseSchema: ENDPOINTS.addReadyBoard.response,
      transformResponse: ({ board, ...rest }: WireAddedBoard) => ({ ...rest, board: withId(board) }),
      invalidatesTags: refreshes('Boards', 'Views'),
    }),
    updateBoard: build.mutation<Board, UpdateBoard & { boardId: string }>({
      query: ({ boardId, ...body }) => callOf('updateBoard', { params: { boardId }, body }),
      rawResponseSchema: ENDPOINTS.updateBoard.response,
      transformResponse: (board: WireBoard) => withId(board),
      invalidatesTags: refreshes('Boards'),
    }),
    addTile: build.mutation<Board, { boardId: string; tile: Tile }>({
      query: ({ boardId, tile }) => callOf('addTile', { params: { boardId }, body: tile }),
      rawResponseSchema: ENDPOINTS.addTile.response,
      transformResponse: (board: WireBoard) => withId(board),
      invalidatesTags: refreshes('Boards'),
    }),
    mailBoard: build.mutation<Board, { boardId: string; weekly: boolean }>({
      query: ({ boardId, weekly }) => callOf('mailBoard', { params: { boardId }, body: { weekly } }),
      rawResponseSchema: ENDPOINTS.mailBoard.response,
      transformResponse: (board: WireBoard) => withId(board),
      invalidatesTags: refreshes('Boards'),
    }),
    deleteBoard: build.mutation<{ ok: true }, string>({
      query: (boardId) => callOf('deleteBoard', { params: { boardId } }),
      invalidatesTags: refreshes('Boards'),
    }),
  }),
});

export const {
  useBoardsQuery,
  useBoardQuery,
  useCreateBoardMutation,
  useAddReadyBoardMutation,
  useUpdateBoardMutation,
  useAddTileMutation,
  useMailBoardMutation,
  useDeleteBoardMutation,
} = boardsApi;
