import type { ViewBase } from '@datadeck/contract';
import { useMemo } from 'react';
import { useAggregationQuery } from '../templates/templates-api.ts';
import type { ViewSource } from './view-fields.tsx';
import { useViewResultsQuery } from './views-api.ts';

/** Reads the first rows of a template or view; undefined while they are not loaded. */
export function useSample(
  source: (ViewSource & Partial<Pick<ViewBase, 'account'>>) | undefined,
): readonly unknown[] | undefined {
  const viewId = source?.basedOn ?? '';
  const { entityLabel = '', templateKey = '', search = '', account = '' } = source ?? {};
  const isOfView = viewId !== '';
  const view = useViewResultsQuery(
    { viewId, page: 1, ...(account !== '' && { account }) },
    { skip: !isOfView },
  );
  const template = useAggregationQuery(
    {
      entity: entityLabel,
      templateKey,
      page: 1,
      ...(search !== '' && { search }),
      ...(account !== '' && { account }),
    },
    { skip: isOfView || templateKey === '' },
  );
  return (isOfView ? view.currentData : template.currentData)?.results;
}

/** Reads the first rows of each named base, by its name. Those that are not loaded yet are missing. */
export function useSamples(bases: readonly ViewBase[]): Readonly<Record<string, readonly unknown[]>> {
  const [first, second, third, fourth, fifth] = bases;
  // A view has at most `BOUNDS.viewBases`, so each has a hook of its own.
  const one = useSample(first);
  const two = useSample(second);
  const three = useSample(third);
  const four = useSample(fourth);
  const five = useSample(fifth);
  return useMemo(() => {
    const rows = [one, two, three, four, five];
    return Object.fromEntries(
      bases.flatMap(({ name }, index) => {
        const own = rows[index];
        return own ? [[name, own]] : [];
      }),
    );
  }, [bases, one, two, three, four, five]);
}
