import { Link } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import type { View } from '../../api/models.ts';
import { type Source, sourcesOf } from './view-sources.ts';
import { useAllViewsQuery } from './views-api.ts';

interface ViewBasesProps {
  view: View;
  /** Views whose titles are known. */
  views: readonly View[] | undefined;
  onSelect: (viewId: string) => void;
}

function BaseOf({ source, views, onSelect }: { source: Source } & Omit<ViewBasesProps, 'view'>) {
  if (source.basedOn === null || source.basedOn === '')
    return <span className="font-mono text-12 leading-5">{source.templateKey}</span>;
  return <BaseView id={source.basedOn} views={views} onSelect={onSelect} />;
}

/** Links to a base view. One of another entity is not among those of the list. */
function BaseView({ id, views, onSelect }: Omit<ViewBasesProps, 'view'> & { id: string }) {
  const listed = views?.find((one) => one.id === id);
  const { data: all } = useAllViewsQuery(undefined, { skip: listed !== undefined });
  const base = listed ?? all?.find((one) => one.id === id);
  if (base && !listed) {
    const { providerId: provider, entityLabel: entity } = base;
    return (
      <Link
        to={withSearch(PATHS.views, { provider, entity, view: id })}
        className="text-accent-text hover:underline"
      >
        {base.title}
      </Link>
    );
  }
  if (!base) return <span>{id}</span>;
  return (
    <button
      type="button"
      className="text-left text-accent-text hover:underline"
      onClick={() => onSelect(base.id)}
    >
      {base.title}
    </button>
  );
}

/** What a view is computed from: its template or base view, or its named bases. */
export function ViewBases({ view, ...rest }: ViewBasesProps) {
  const [first, ...others] = sourcesOf(view);
  if (first === undefined) return null;
  if (view.bases.length === 0)
    return (
      <div className="min-w-0">
        <dt className="text-12 text-ink-3">{first.basedOn ? 'Based On' : 'Template Key'}</dt>
        <dd className="wrap-anywhere text-13">
          <BaseOf source={first} {...rest} />
        </dd>
      </div>
    );
  return (
    <div className="min-w-0">
      <dt className="text-12 text-ink-3">Sources</dt>
      {[first, ...others].map((source) => (
        <dd key={source.name} className="flex min-w-0 flex-wrap gap-x-2 wrap-anywhere text-13">
          <code className="font-mono text-12 leading-5 text-ink-2">${source.name}</code>
          <BaseOf source={source} {...rest} />
          {source.search !== '' && <span className="text-ink-3">{source.search}</span>}
          {source.account !== '' && <span className="text-ink-3">{source.account}</span>}
        </dd>
      ))}
    </div>
  );
}
