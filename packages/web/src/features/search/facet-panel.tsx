import { FACET_RECORDS, type FacetName, type SearchFacets } from '@datadeck/contract';
import { Check, ListFilter } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../../ui/duration.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { FacetChoices } from './facet-choices.ts';
import { FACET_TITLES } from './facet-titles.ts';
import { MonthHistogram } from './month-histogram.tsx';

type Facet = SearchFacets['facets'][number];

/** Number of values of a facet that are shown at once. */
const FIRST_VALUES = 5;

/** Facets that narrow the search by the address, not by its text. */
const IN_ADDRESS: readonly FacetName[] = ['provider', 'entity', 'account'];

/** Returns whether a facet offers a choice. */
function isUseful(
  { name, values }: Facet,
  all: readonly Facet[],
  isChosen: FacetChoices['isChosen'],
): boolean {
  if (values.some(({ value }) => isChosen(name, value))) return true;
  // The search is already within one of these if there is only one.
  if (IN_ADDRESS.includes(name) && values.length < 2) return false;
  // Each provider with one kind of records says the same as its kind.
  return name !== 'entity' || values.length !== all.find((one) => one.name === 'provider')?.values.length;
}

interface FacetValueProps {
  title: string;
  count: number;
  isChosen: boolean;
  onToggle: () => void;
}

function FacetValue({ title, count, isChosen, onToggle }: FacetValueProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onToggle}
        className={classNames(
          'flex min-h-7 w-full items-center max-lg:min-h-10 gap-2 rounded-sm px-2 text-left text-13 transition-colors duration-100',
          isChosen
            ? 'bg-accent-soft font-medium text-accent-text'
            : 'text-ink-2 hover:bg-hover hover:text-ink',
        )}
      >
        {isChosen && <Check aria-hidden="true" size={14} className="shrink-0" />}
        <span dir="auto" title={title} className="min-w-0 flex-1 truncate text-left">
          {title}
        </span>
        <span className={classNames('text-12 tabular-nums', !isChosen && 'text-ink-3')}>
          <span className="sr-only">, </span>
          {formatCount(count)}
        </span>
      </button>
    </li>
  );
}

/** One facet. Its first values are shown at once, and those that narrow the search. */
function FacetSection({
  name,
  values,
  isChosen,
  onToggle,
}: Facet & Pick<FacetChoices, 'isChosen'> & { onToggle: FacetChoices['toggle'] }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = values.filter(({ value }, index) => isWhole || index < FIRST_VALUES || isChosen(name, value));
  return (
    <section aria-label={FACET_TITLES[name]}>
      <h2 className="mb-1 px-2 text-12 font-medium text-ink-3">{FACET_TITLES[name]}</h2>
      <ul className="flex flex-col gap-px">
        {shown.map(({ value, title, count }) => (
          <FacetValue
            key={value}
            title={title}
            count={count}
            isChosen={isChosen(name, value)}
            onToggle={() => onToggle(name, value)}
          />
        ))}
      </ul>
      {values.length > FIRST_VALUES && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="h-7 rounded-sm px-2 text-12 font-medium text-accent-text hover:underline max-lg:h-10"
        >
          {isWhole ? 'Show fewer' : 'Show more'}
        </button>
      )}
    </section>
  );
}

function LoadingFacets() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Loading...</span>
      {[3, 5, 4].map((values) => (
        <div key={values} className="flex flex-col gap-3 px-2">
          <Skeleton className="h-3 w-16" />
          {Array.from({ length: values }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            <Skeleton key={index} className={index % 2 ? 'h-3 w-3/5' : 'h-3 w-4/5'} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface FacetPanelProps {
  facets: SearchFacets | undefined;
  /** Whether the search has failed, which its results explain. */
  hasFailed: boolean;
  choices: FacetChoices;
}

/** The most frequent values of the found records, by which the search can be narrowed. On phones they are folded. */
export function FacetPanel({ facets, hasFailed, choices }: FacetPanelProps) {
  const { isChosen, toggle, active, period, choosePeriod } = choices;
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <aside aria-label="Filters" className="min-w-0">
      <Button
        className="lg:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        icon={<ListFilter aria-hidden="true" size={14} />}
        onClick={() => setIsOpen(!isOpen)}
      >
        {active.length > 0 ? `Filters (${active.length})` : 'Filters'}
      </Button>
      <div id={id} className={classNames('flex-col gap-4 lg:flex', isOpen ? 'mt-3 flex' : 'hidden')}>
        {!facets && !hasFailed && <LoadingFacets />}
        {facets?.facets
          .filter((facet, _, all) => isUseful(facet, all, isChosen))
          .map(({ name, values }) =>
            name === 'month' ? (
              <section key={name} aria-label={FACET_TITLES[name]}>
                <h2 className="mb-1 px-2 text-12 font-medium text-ink-3">{FACET_TITLES[name]}</h2>
                <MonthHistogram
                  title={FACET_TITLES[name]}
                  values={values}
                  chosen={period}
                  onChoose={choosePeriod}
                />
              </section>
            ) : (
              <FacetSection key={name} name={name} values={values} isChosen={isChosen} onToggle={toggle} />
            ),
          )}
        {facets?.isLimited && (
          <p className="px-2 text-12 text-ink-3">
            The numbers are of the newest {formatCount(FACET_RECORDS)} matches.
          </p>
        )}
      </div>
    </aside>
  );
}
