import type { ManifestStream } from '@datadeck/contract';
import { DOCUMENT_LIMITS } from '@datadeck/contract/connector-document';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf } from '../../ui/duration.ts';
import { ListSearchBox, useListSearch } from '../../ui/list-search.tsx';

/** Returns the ids of the entities that chosen streams take, those of their parents with them. */
export function entitiesOf(streams: readonly ManifestStream[], chosen: readonly string[]): Set<string> {
  return new Set(streams.filter(({ name }) => chosen.includes(name)).flatMap(({ entities }) => entities));
}

interface ManifestChoiceProps {
  /** The streams of the manifest. */
  streams: readonly ManifestStream[];
  /** Names of the chosen ones. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Chooses among the streams of a manifest that has more than fit into a document. */
export function ManifestChoice({ streams, chosen, onChange }: ManifestChoiceProps) {
  const offered = streams.filter(({ entities }) => entities.length > 0);
  const { shown, box } = useListSearch(offered, ({ name }) => name);
  const taken = entitiesOf(streams, chosen);
  const refused = streams.length - offered.length;
  const isOver = taken.size > DOCUMENT_LIMITS.entities;
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-3 text-13 text-ink-2">
        {countOf(offered.length, 'stream')} can be imported, and a connector has at most{' '}
        {DOCUMENT_LIMITS.entities}. Choose those that you need; parents come along.
        {refused > 0 && ` ${refused} more cannot be imported; the draft says why.`}
      </legend>
      {box && <ListSearchBox label="Search streams" box={box} />}
      <ul
        aria-label="Streams"
        className="grid max-h-80 grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-x-4 gap-y-1 overflow-y-auto rounded-sm border p-2"
      >
        {shown.map(({ name, line, entities: [own = ''] }) => {
          const isChosen = chosen.includes(name);
          const comesAlong = !isChosen && taken.has(own);
          return (
            <li key={`${line} ${name}`}>
              <label title={name} className="flex min-h-6 min-w-0 items-center gap-2 text-13 touch:min-h-10">
                <input
                  type="checkbox"
                  className="shrink-0 accent-accent"
                  checked={isChosen || comesAlong}
                  disabled={comesAlong}
                  onChange={({ target }) =>
                    onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
                  }
                />
                <bdi className="truncate">{name}</bdi>{' '}
                {comesAlong && <span className="shrink-0 text-12 text-ink-3">comes along</span>}
              </label>
            </li>
          );
        })}
        {shown.length === 0 && <li className="text-13 text-ink-3">No stream has this in its name.</li>}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span
          role="status"
          className={classNames('text-12 tabular-nums', isOver ? 'text-error-text' : 'text-ink-3')}
        >
          {taken.size} of {DOCUMENT_LIMITS.entities} chosen
          {isOver && `: take ${taken.size - DOCUMENT_LIMITS.entities} away`}
        </span>
        <Button size="sm" disabled={chosen.length === 0} onClick={() => onChange([])}>
          Choose none
        </Button>
      </div>
    </fieldset>
  );
}
