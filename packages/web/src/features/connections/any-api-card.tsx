import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';

/** Leads administrators to a new connector. */
export function AnyApiCard() {
  return (
    <Link
      to={withSearch(PATHS.connectors, { start: 'example' })}
      className="flex flex-col rounded-md border border-line-strong border-dashed p-5 transition-colors duration-100 hover:bg-hover"
    >
      <span className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className="grid size-10 shrink-0 place-items-center rounded-md bg-sunken text-ink-2"
        >
          <Plus size={20} />
        </span>
        <span>
          <span className="block text-14 font-semibold">Add any API</span>
          <span className="block text-12 text-ink-3">For everybody on this server</span>
        </span>
      </span>
      <span className="mt-4 text-13 text-ink-2">
        Describe a service once, from an example answer or its OpenAPI description.
      </span>
    </Link>
  );
}
