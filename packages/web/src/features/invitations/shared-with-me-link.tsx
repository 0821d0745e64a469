import { Users } from 'lucide-react';
import { Link } from 'react-router';
import { SHARED_PATHS } from '../../address/paths.ts';
import { useSharedWithMeQuery } from './invitations-api.ts';

/** Leads to what others share with the user; absent if nobody does. */
export function SharedWithMeLink() {
  const { data } = useSharedWithMeQuery(1);
  if (!data || data.count === 0) return null;
  return (
    <Link
      to={SHARED_PATHS.list}
      className="inline-flex h-8 shrink-0 items-center gap-2 rounded-sm px-3 text-13 font-medium text-ink-2 transition-colors duration-100 hover:bg-hover hover:text-ink touch:h-10"
    >
      <Users aria-hidden="true" size={14} />
      Shared with me <span className="tabular-nums text-ink-3">{data.count}</span>
    </Link>
  );
}
