import { LIMITS, saveQuerySchema } from '@datadeck/contract';
import { Bookmark, Check, Pencil, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { SavedQuery } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { classNames } from '../../ui/class-names.ts';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ListSearchBox, useListSearch } from '../../ui/list-search.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import {
  useDeleteQueryMutation,
  useSavedQueriesQuery,
  useSaveQueryMutation,
  useUpdateQueryMutation,
} from './queries-api.ts';

function Renaming({ query, onDone }: { query: SavedQuery; onDone: () => void }) {
  const [title, setTitle] = useState(query.title);
  const [updateQuery] = useUpdateQueryMutation();
  const checked = saveQuerySchema.shape.title.safeParse(title);
  async function save() {
    if (!checked.success) return;
    const { error } = await updateQuery({
      id: query.id,
      title: checked.data,
      expression: query.expression,
    });
    if (error) toasts.error('Saving query was unsuccessful');
    else onDone();
  }
  return (
    <form
      className="flex flex-1 items-end gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="flex-1">
        <TextField
          label={`New title of ${query.title}`}
          value={title}
          required
          maxLength={LIMITS.queryTitle + 30}
          autoFocus
          onChange={(event) => setTitle(event.target.value)}
          error={checked.success ? undefined : checked.error.issues[0]?.message}
        />
      </div>
      <IconButton type="submit" label="Save title" icon={<Check size={16} />} disabled={!checked.success} />
      <IconButton label="Keep title" icon={<X size={16} />} onClick={onDone} />
    </form>
  );
}

/** Renames and deletes saved queries. */
export function ManageQueriesDialog({ onClose }: { onClose: () => void }) {
  const mayChange = useMayChange();
  const { data: queries = [], error: loadError, isFetching, refetch } = useSavedQueriesQuery();
  const [renaming, setRenaming] = useState('');
  const [deleted, setDeleted] = useState<SavedQuery | null>(null);
  const { shown, box } = useListSearch(queries, ({ title, expression }) => `${title} ${expression}`);
  const [deleteQuery] = useDeleteQueryMutation();
  const [saveQuery] = useSaveQueryMutation();
  async function restore({ title, expression }: SavedQuery) {
    const { error } = await saveQuery({ title, expression });
    if (error) toasts.error('Saving query was unsuccessful');
    else setDeleted(null);
  }
  async function askDelete(query: SavedQuery) {
    if (!(await confirmDeletion('Delete saved query', `The saved query "${query.title}" will be deleted.`)))
      return;
    const { error } = await deleteQuery(query.id);
    if (error) toasts.error('The saved query could not be deleted');
    else setDeleted(query);
  }
  return (
    <Dialog open onClose={onClose} title="Saved queries">
      {deleted && (
        <NoticeLine tone="info">
          "{deleted.title}" was deleted.{' '}
          <button
            type="button"
            className="font-medium text-accent-text hover:underline"
            onClick={() => void restore(deleted)}
          >
            Undo
          </button>
        </NoticeLine>
      )}
      {loadError !== undefined && (
        <LoadFailure sentence={causeOf(loadError)} busy={isFetching} onRetry={refetch} />
      )}
      {queries.length === 0 && loadError === undefined && !isFetching && (
        <EmptyState
          icon={<Bookmark size={20} />}
          title="No saved queries yet"
          hint="Save an expression to find it here again."
        />
      )}
      {box && <ListSearchBox label="Search queries" box={box} />}
      <ul className={classNames('flex flex-col', box && 'mt-2 min-h-80')}>
        {shown.map((query) => (
          <li key={query.id} className="flex items-center gap-2 border-b py-2 last:border-b-0">
            {renaming === query.id ? (
              <Renaming query={query} onDone={() => setRenaming('')} />
            ) : (
              <>
                <div className="min-w-0 flex-1">
                  <p dir="auto" title={query.title} className="truncate text-left text-13 font-medium">
                    {query.title}
                  </p>
                  <p title={query.expression} className="truncate font-mono text-12 text-ink-3">
                    {query.expression}
                  </p>
                </div>
                <IconButton
                  label={`Rename ${query.title}`}
                  icon={<Pencil size={14} />}
                  disabled={!mayChange}
                  onClick={() => setRenaming(query.id)}
                />
                <IconButton
                  label={`Delete ${query.title}`}
                  icon={<Trash2 size={14} />}
                  disabled={!mayChange}
                  onClick={() => void askDelete(query)}
                />
              </>
            )}
          </li>
        ))}
        {box && shown.length === 0 && (
          <li className="py-2 text-13 text-ink-3">No saved query matches the search.</li>
        )}
      </ul>
    </Dialog>
  );
}
