import type { Tile } from '@datadeck/contract';
import { useEffect, useRef, useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { toasts } from '../../ui/toast.tsx';
import { type Board, useUpdateBoardMutation } from '../boards/boards-api.ts';

/** Changes that can be undone. */
const MAX_UNDO = 50;

type Content = Pick<Board, 'title' | 'tiles'>;

/** A board as it is being changed; each change is saved at once. */
export interface BoardDraft extends Content {
  isSaving: boolean;
  canUndo: boolean;
  /** Changes the board. `isLast: false`: a step of a gesture, which is not saved yet. */
  change: (content: Partial<Content>, options?: { isLast: boolean }) => void;
  undo: () => void;
}

/**
 * Shows changes at once and saves them one after another, always the newest. A change that is refused is taken back, and the board is
 * loaded again.
 */
export function useBoardDraft(board: Board): BoardDraft {
  const [update, { isLoading }] = useUpdateBoardMutation();
  const [draft, setDraft] = useState<Content>();
  const [past, setPast] = useState<readonly Content[]>([]);
  const shown: Content = draft ?? board;
  /** What the gesture began with. */
  const before = useRef<Content>(undefined);
  const saving = useRef({
    version: board.version,
    /** The newest version that was loaded, also while a change was being saved. */
    loaded: board.version,
    isRunning: false,
    next: undefined as Content | undefined,
  });

  useEffect(() => {
    const state = saving.current;
    state.loaded = Math.max(state.loaded, board.version);
    if (state.isRunning || board.version <= state.version) return;
    state.version = board.version;
    setDraft(undefined);
  }, [board]);

  async function save(content: Content) {
    const state = saving.current;
    state.next = content;
    if (state.isRunning) return;
    state.isRunning = true;
    while (state.next) {
      const { title, tiles } = state.next;
      state.next = undefined;
      const { data, error } = await update({ boardId: board.id, title, tiles, version: state.version });
      if (data) state.version = data.version;
      else {
        state.next = undefined;
        state.version = Math.max(state.version, state.loaded);
        setDraft(undefined);
        setPast([]);
        toasts.error(causeOf(error));
      }
    }
    state.isRunning = false;
  }

  function store(content: Content) {
    setDraft(content);
    void save(content);
  }

  return {
    ...shown,
    isSaving: isLoading,
    canUndo: past.length > 0,
    change(content, { isLast } = { isLast: true }) {
      before.current ??= shown;
      const next = { title: shown.title, tiles: shown.tiles, ...content };
      if (!isLast) {
        setDraft(next);
        return;
      }
      const former = before.current;
      before.current = undefined;
      if (isSame(former, next)) return;
      setPast([...past, { title: former.title, tiles: former.tiles }].slice(-MAX_UNDO));
      store(next);
    },
    undo() {
      const last = past.at(-1);
      if (!last) return;
      setPast(past.slice(0, -1));
      store(last);
    },
  };
}

const textOf = ({ title, tiles }: { title: string; tiles: readonly Tile[] }) =>
  JSON.stringify({ title, tiles });
const isSame = (a: Content, b: Content) => textOf(a) === textOf(b);
