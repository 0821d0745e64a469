import { INVITATION_LIMITS, type SharedWithMe } from '@datadeck/contract';
import { Layers, LayoutDashboard, Users } from 'lucide-react';
import { Link } from 'react-router';
import { SHARED_PATHS } from '../../address/paths.ts';
import { useSearchState } from '../../address/search-state.ts';
import { causeOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Age } from '../../ui/date-time.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { useLastPage } from '../../ui/use-last-page.ts';
import { useSharedWithMeQuery } from '../invitations/invitations-api.ts';
import { Person } from '../invitations/person.tsx';
import { useLeave } from './use-leave.ts';

function SharedLine({ shared }: { shared: SharedWithMe }) {
  const { _id: id, kind, title, owner, acceptedAt } = shared;
  const [leave, isLeaving] = useLeave();
  const Icon = kind === 'board' ? LayoutDashboard : Layers;
  return (
    <li className="relative flex items-center gap-3 border-b px-4 py-3 last:border-b-0 hover:bg-hover">
      <Icon aria-hidden="true" size={16} className="shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <Link
          to={`${SHARED_PATHS.list}/${id}`}
          className="wrap-anywhere text-14 font-medium after:absolute after:inset-0"
        >
          <bdi>{title}</bdi>
        </Link>
        <p className="wrap-anywhere text-12 text-ink-2">
          {kind === 'board' ? 'Board' : 'View'} of <Person person={owner} />
        </p>
        <p className="text-12 text-ink-3">
          Accepted <Age iso={acceptedAt} />
        </p>
      </div>
      <Button
        size="sm"
        variant="ghost"
        className="relative"
        aria-label={`Leave ${title}`}
        busy={isLeaving}
        disabled={isLeaving}
        onClick={() => void leave(shared)}
      >
        Leave
      </Button>
    </li>
  );
}

/** The screen 'Shared with me': views and boards that others share with the user. */
export function SharedListPage() {
  const search = useSearchState();
  const { currentData, data, error, isFetching, refetch } = useSharedWithMeQuery(search.page);
  const shown = currentData ?? data;
  const total = pageCount(shown?.count ?? 0, INVITATION_LIMITS.page);
  const toPage = (page: number) => search.set({ page: page === 1 ? null : page });
  useLastPage(search.page, currentData && total, toPage);
  return (
    <>
      <PageHeader
        title="Shared with me"
        description="Views and boards of other people, whose invitations you have accepted. You can read and copy them."
      />
      {error !== undefined && (
        <LoadFailure
          sentence="What others share with you could not be loaded."
          detail={causeOf(error)}
          busy={isFetching}
          onRetry={refetch}
        />
      )}
      {!shown && error === undefined && (
        <Card flush>
          <LoadingRows rows={4} />
        </Card>
      )}
      {shown?.count === 0 && (
        <Card flush>
          <EmptyState
            icon={<Users size={20} />}
            title="Nothing is shared with you"
            hint="Open the link of an invitation that somebody sends you. What you accept appears here."
          />
        </Card>
      )}
      {shown && shown.count > 0 && (
        <Card flush>
          <ul aria-label="Shared with me" aria-busy={isFetching} className="flex flex-col">
            {shown.results.map((shared) => (
              <SharedLine key={shared._id} shared={shared} />
            ))}
          </ul>
        </Card>
      )}
      {total > 1 && (
        <div className="mt-4">
          <Pagination label="Pages" page={search.page} total={total} onChange={toPage} />
        </div>
      )}
    </>
  );
}
