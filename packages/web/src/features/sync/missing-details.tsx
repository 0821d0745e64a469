import { causeOf } from '../../api/failure.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { useEntitiesQuery } from './sync-api.ts';

interface MissingDetailsProps {
  /** The title of the entity, as far as it is known. */
  title: string;
  onClose: () => void;
}

/** 'Overview' without its entity: the entities are loading, could not be loaded, or hold no such one. */
export function MissingDetails({ title, onClose }: MissingDetailsProps) {
  const { data, error, isFetching, refetch } = useEntitiesQuery();
  return (
    <Dialog open onClose={onClose} size="lg" title="Overview" subtitle={title}>
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
