import { ChevronLeft } from 'lucide-react';
import { Link } from 'react-router';
import { PATHS } from '../../address/paths.ts';

/** Leads back to the list of connectors. */
export function ConnectorsLink() {
  return (
    <Link
      to={PATHS.connectors}
      className="mb-2 inline-flex items-center gap-1 rounded-sm text-12 font-medium text-ink-3 hover:text-ink"
    >
      <ChevronLeft aria-hidden="true" size={14} />
      Connectors
    </Link>
  );
}
