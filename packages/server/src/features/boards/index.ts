export {
  addTile,
  createBoard,
  deleteBoard,
  deleteBoards,
  insertBoard,
  listBoards,
  readBoard,
  updateBoard,
} from './store.ts';
