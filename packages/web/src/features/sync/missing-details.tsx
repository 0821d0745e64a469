import { causeOf } from '../../api/failure.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { useEntitiesQuery } from './sync-api.ts';

interface MissingDetailsProps {
  /** The entity's title; empty when it is unknown. */
  title: string;
  onClose: () => void;
}

/** The 'Overview' dialog without an entity: the entities are loading, failed to load, or do not include it. */
export function MissingDetails({ title, onClose }: MissingDetailsProps) {
  const { data, error, isFetching, refetch } = useEntitiesQuery();
  return (
    <Dialog open onClose={onClose} size="lg" kicker="Overview" title={title}>
      {error !== undefined ? (
        <LoadFailure
          sentence="The details could not be loaded."
          detail={causeOf(error)}
          busy={isFetching}
          onRetry={refetch}
        />
      ) : data ? (
        <p className="text-13 text-ink-2">This entity is no longer available.</p>
      ) : (
        <LoadingRows />
      )}
    </Dialog>
  );
}
