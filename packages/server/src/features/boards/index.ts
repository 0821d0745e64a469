export { addReadyBoard } from './ready-boards.ts';
export {
  addTile,
  boardTitles,
  createBoard,
  deleteBoard,
  deleteBoards,
  insertBoard,
  listBoards,
  readBoard,
  selectBoard,
  updateBoard,
} from './store.ts';
export { BOARD_MAIL_QUEUE, mailWeekly, workOnBoardMails } from './weekly-mail.ts';
