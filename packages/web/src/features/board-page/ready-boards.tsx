import { type AddedBoard, boardParts, READY_BOARDS, type ReadyBoard } from '@datadeck/contract';
import { Plus } from 'lucide-react';
import { sentenceOf } from '../../api/failure.ts';
import type { Provider } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { type AddedReadyBoard, useAddReadyBoardMutation } from '../boards/boards-api.ts';
import { connectedProviders, providersFor } from '../connections/connected-providers.ts';
import { useProvidersQuery } from '../connections/connections-api.ts';

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Names what the views of a board read, e.g. `Pull requests and Workflow runs of GitHub`. */
function sourcesOf(board: ReadyBoard, providers: readonly Provider[]): string {
  const connected = connectedProviders(providers);
  const bases = boardParts(board, connected).views.flatMap((view) => view.write(connected).bases);
  const parts = providers.flatMap(({ key, title, entities }) => {
    const read = entities.filter(({ id }) =>
      bases.some((base) => base.providerId === key && base.entityLabel === id),
    );
    return read.length === 0 ? [] : `${list.format(read.map((entity) => entity.title))} of ${title}`;
  });
  return parts.join('; ');
}

/** Says what to connect before the board is added, so that it has all tiles; undefined when nothing is missing. */
function missingFor(board: ReadyBoard, providers: readonly Provider[]): string | undefined {
  const { leftOut, tiles } = boardParts(board, connectedProviders(providers));
  if (leftOut.length === 0) return undefined;
  if (tiles.length === 0)
    return `Connect ${leftOut.map(({ need }) => providersFor(need, providers)).join(' or ')} first.`;
  const sentences = leftOut.map(
    ({ need, parts }) =>
      `Left out until ${providersFor(need, providers)} is connected: ${list.format(parts)}.`,
  );
  return sentences.join(' ');
}

interface OfferProps {
  board: ReadyBoard;
  providers: readonly Provider[];
  isAdding: boolean;
  isDisabled: boolean;
  onAdd: () => void;
}

function Offer({ board, providers, isAdding, isDisabled, onAdd }: OfferProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const sources = sourcesOf(board, providers);
  const missing = missingFor(board, providers);
  return (
    <li className="flex flex-col items-start gap-3 px-5 py-4 sm:flex-row sm:justify-between">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="text-14 font-medium">{board.title}</h3>
        <p className="text-13 text-ink-2">{board.description}</p>
        {sources !== '' && <p className="text-12 text-ink-3">Reads {sources}.</p>}
        {missing !== undefined && <p className="text-12 text-ink-3">{missing}</p>}
      </div>
      <Button
        className="shrink-0"
        icon={<Plus size={14} />}
        busy={isAdding}
        disabled={!mayChange || isDisabled || sources === ''}
        title={forbidden ?? (sources === '' ? missing : undefined)}
        onClick={onAdd}
      >
        Add {board.title}
      </Button>
    </li>
  );
}

/** The ready-made boards, each with what it reads, what it would lack, and a button that adds it. */
export function ReadyBoardList({ onAdded }: { onAdded: (added: AddedReadyBoard) => void }) {
  const { data: providers } = useProvidersQuery();
  const [addBoard, { isLoading, error, originalArgs }] = useAddReadyBoardMutation();
  if (!providers) return null;
  return (
    <section aria-label="Ready-made boards">
      {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
      <ul className="divide-y">
        {READY_BOARDS.map((board) => (
          <Offer
            key={board.key}
            board={board}
            providers={providers}
            isAdding={isLoading && originalArgs === board.key}
            isDisabled={isLoading}
            onAdd={async () => {
              const { data } = await addBoard(board.key);
              if (data) onAdded(data);
            }}
          />
        ))}
      </ul>
    </section>
  );
}

interface ReadyBoardsDialogProps {
  onAdded: (added: AddedReadyBoard) => void;
  onClose: () => void;
}

/** Offers the ready-made boards to a user who has boards already. */
export function ReadyBoardsDialog({ onAdded, onClose }: ReadyBoardsDialogProps) {
  return (
    <Dialog open onClose={onClose} title="Ready-made boards" subtitle="Over your connected accounts">
      <div className="-m-5">
        <ReadyBoardList onAdded={onAdded} />
      </div>
    </Dialog>
  );
}

/** Says what was added, what is left out, and what fills it. */
export function AddedNotice({
  added: { createdViews, reusedViews, leftOut },
}: {
  added: Omit<AddedBoard, 'board'>;
}) {
  const created =
    createdViews.length > 0 ? `with ${countOf(createdViews.length, 'new view')}` : 'without a new view';
  const reused = reusedViews.length > 0 ? ` and ${reusedViews.length} that you had` : '';
  return (
    <NoticeLine tone="info">
      The board was added {created}
      {reused}.
      {leftOut.length > 0 &&
        ` Left out, because nothing with their data is connected: ${list.format(leftOut)}.`}{' '}
      Tiles fill when what they read is synchronized.
    </NoticeLine>
  );
}
