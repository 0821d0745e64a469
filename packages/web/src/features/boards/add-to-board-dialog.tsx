import { BOARD_TEXTS, type Tile } from '@datadeck/contract';
import { type FormEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Select } from '../../ui/select.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useAddTileMutation, useBoardsQuery, useCreateBoardMutation } from './boards-api.ts';

/** Value of the choice that creates a board. */
const NEW = 'new';

interface AddToBoardDialogProps {
  /** What is added, in words: the title of a view, or a search. */
  subtitle: string;
  tile: Tile;
  onClose: () => void;
}

/** Adds a tile to a board, or to a new one, and goes there. */
export function AddToBoardDialog({ subtitle, tile, onClose }: AddToBoardDialogProps) {
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const boards = useBoardsQuery();
  const [createBoard, creation] = useCreateBoardMutation();
  const [addTile, addition] = useAddTileMutation();
  const [chosen, setChosen] = useState<string>();
  const [title, setTitle] = useState('');
  const boardId = chosen ?? boards.data?.[0]?.id ?? NEW;
  const isNew = boardId === NEW;
  const isSaving = creation.isLoading || addition.isLoading;
  const error = creation.error ?? addition.error;
  const canSave = boards.data !== undefined && !isSaving && (!isNew || title.trim() !== '');
  const options = [
    ...(boards.data ?? []).map((board) => ({ value: board.id, label: board.title })),
    { value: NEW, label: 'New board' },
  ];

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!canSave) return;
    const { data } = isNew
      ? await createBoard({ title: title.trim(), tiles: [tile] })
      : await addTile({ boardId, tile });
    if (!data) return;
    toasts.success(`Added to ${data.title}`);
    onClose();
    void navigate(withSearch(PATHS.boards, { board: data.id }));
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title="Add to board"
      subtitle={subtitle}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isSaving}
          disabled={!mayChange || !canSave}
          title={forbidden}
        >
          Add
        </Button>
      }
    >
      {boards.error !== undefined && (
        <LoadFailure
          sentence="The boards could not be loaded."
          detail={causeOf(boards.error)}
          busy={boards.isFetching}
          onRetry={boards.refetch}
        />
      )}
      {!boards.data && boards.error === undefined && <LoadingRows rows={2} />}
      {boards.data && (
        <form id={formId} noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
          <Select
            label="Board"
            value={options.find(({ value }) => value === boardId) ?? null}
            options={options}
            onChange={(option) => setChosen(option?.value)}
          />
          {isNew && (
            <TextField
              label="Name"
              required
              data-autofocus
              maxLength={BOARD_TEXTS.title}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
          {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
        </form>
      )}
    </Dialog>
  );
}
