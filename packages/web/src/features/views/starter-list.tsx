import { PROVIDERS_OF, type ReadyView, STARTERS } from '@datadeck/contract';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import type { Provider, View } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { StarterDialog } from './starter-dialog.tsx';

const ALL_PROVIDERS: ReadonlySet<string> = new Set(Object.values(PROVIDERS_OF).flat());

interface StarterListProps {
  providers: readonly Provider[];
  /** The listed views: a starter that one of them is called like is not offered again. */
  views: readonly View[];
  /** The chosen entity; empty for all. */
  entity: string;
  onCreated: (view: View) => void;
}

/** The ready-made views that the user does not have yet. Nothing for users who may not create views. */
export function StarterList({ providers, views, entity, onCreated }: StarterListProps) {
  const mayChange = useMayChange();
  const [chosen, setChosen] = useState<ReadyView>();
  const offered = STARTERS.filter(
    ({ title, write }) =>
      !views.some((view) => view.title === title) &&
      (entity === '' || write(ALL_PROVIDERS).bases.some(({ entityLabel }) => entityLabel === entity)),
  );
  if (!mayChange || offered.length === 0) return null;
  return (
    <section aria-label="Ready-made views" className="border-t p-2">
      <h3 className="px-3 py-2 text-12 text-ink-3">Ready-made views</h3>
      <ul>
        {offered.map((starter) => (
          <li key={starter.title}>
            <button
              type="button"
              onClick={() => setChosen(starter)}
              className="flex w-full items-start gap-2 rounded-sm px-3 py-2 text-left hover:bg-hover"
            >
              <Sparkles aria-hidden="true" size={14} className="mt-0.5 shrink-0 text-ink-3" />
              <span className="min-w-0">
                <span className="block text-13 font-medium">{starter.title}</span>
                <span className="block text-12 text-ink-3">{starter.description}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {chosen && (
        <StarterDialog
          starter={chosen}
          providers={providers}
          onClose={() => setChosen(undefined)}
          onCreated={onCreated}
        />
      )}
    </section>
  );
}
