import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import type { SavedQuery } from '../../api/models.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadedSelect } from '../../ui/loaded-select.tsx';
import { ManageQueriesDialog } from './manage-queries-dialog.tsx';
import { useSavedQueriesQuery } from './queries-api.ts';

interface QueriesSelectProps {
  query: string;
  onPick: (query: SavedQuery) => void;
}

/** The 'Queries' dropdown: copies a saved query into the editor. */
export function QueriesSelect({ query, onPick }: QueriesSelectProps) {
  const load = useSavedQueriesQuery();
  const queries = load.data ?? [];
  const [isManaging, setIsManaging] = useState(false);
  const options = queries.map(({ id, title }) => ({ value: id, label: title }));
  const current = queries.find(({ expression }) => expression === query);
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <LoadedSelect
          label="Queries"
          placeholder="Saved queries"
          options={options}
          load={load}
          failure="The saved queries could not be loaded."
          value={options.find(({ value }) => value === current?.id) ?? null}
          onChange={(option) => {
            const picked = queries.find(({ id }) => id === option?.value);
            if (picked) onPick(picked);
          }}
        />
      </div>
      {/* Aligned with the select box, below its label. */}
      <span className="mt-6.5">
        <IconButton
          label="Manage queries"
          icon={<Settings2 size={16} />}
          onClick={() => setIsManaging(true)}
        />
      </span>
      {isManaging && <ManageQueriesDialog onClose={() => setIsManaging(false)} />}
    </div>
  );
}
