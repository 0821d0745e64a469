import type { FacetName } from '@datadeck/contract';

/** Titles of facets for people. */
export const FACET_TITLES: Record<FacetName, string> = {
  provider: 'Provider',
  entity: 'Kind',
  account: 'Account',
  state: 'State',
  repo: 'Repository',
  from: 'Sender',
  author: 'Author',
  label: 'Label',
  has: 'Attachment',
  month: 'Month',
};
