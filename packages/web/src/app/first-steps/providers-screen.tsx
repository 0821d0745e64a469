import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { ProvidersPage } from '../../features/connections/providers-page.tsx';
import { nextEntity } from '../../features/sync/next-entity.ts';
import { useOverview } from '../../features/sync/providers-and-syncs.ts';
import { FirstSteps } from './first-steps.tsx';

/** The Providers screen with what follows a connection: synchronizing, and the first steps of a new account. */
export function ProvidersScreen() {
  const navigate = useNavigate();
  const { overview } = useOverview();
  return (
    <ProvidersPage
      firstSteps={<FirstSteps />}
      onSynchronize={({ title }) => {
        const entity = nextEntity(overview[title] ?? []);
        void navigate(withSearch(PATHS.syncs, { details: entity?.entityLabel ?? '' }));
      }}
    />
  );
}
