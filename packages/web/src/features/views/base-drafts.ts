import { parameterNameSchema, type SavedBase, type ViewBase } from '@datadeck/contract';
import type { View } from '../../api/models.ts';

/** A named base that is being edited. The first one has a fixed source. */
export interface BaseDraft {
  name: string;
  providerId: string;
  entityLabel: string;
  /** A template or a view of the entity; both are empty until one is chosen. */
  templateKey: string;
  basedOn: string | null;
  search: string;
  account: string;
}

/** What the first base of a view is. */
export type FirstBase = Pick<View, 'providerId' | 'entityLabel' | 'templateKey' | 'basedOn' | 'search'>;

/** Returns a name for rows of an entity that no other base has: `pulls` for `gh-pulls`. */
export function suggestName(entityLabel: string, taken: readonly BaseDraft[]): string {
  const word = entityLabel.slice(entityLabel.indexOf('-') + 1).replace(/\W+/g, '_') || 'rows';
  for (let n = 1; ; n++) {
    const name = n === 1 ? word : `${word}${n}`;
    if (!taken.some((one) => one.name === name)) return name;
  }
}

/** Returns the error message for each draft's name, by index. */
export function nameProblems(drafts: readonly BaseDraft[]): (string | undefined)[] {
  return drafts.map(({ name }, index) => {
    if (name === '') return 'Required';
    if (!parameterNameSchema.safeParse(name).success) return 'Letters, digits and _ only';
    return drafts.findIndex((other) => other.name === name) < index ? 'Already in use' : undefined;
  });
}

const hasSource = ({ templateKey, basedOn }: BaseDraft) => templateKey !== '' || (basedOn ?? '') !== '';

/** Returns drafts as bases, the first of which has the given source. Those without a source are left out. */
export function basesIn(drafts: readonly BaseDraft[], first: FirstBase | undefined): ViewBase[] {
  const [own, ...others] = drafts;
  if (own === undefined || first === undefined || others.length === 0) return [];
  const { providerId, entityLabel, templateKey, basedOn, search } = first;
  const fixed = { ...own, providerId, entityLabel, templateKey, basedOn: basedOn || null, search };
  return [fixed, ...others.filter(hasSource)];
}

/** Returns the bases to save; undefined if a draft is not complete. */
export function savedBases(
  drafts: readonly BaseDraft[],
  first: FirstBase | undefined,
): SavedBase[] | undefined {
  if (drafts.length < 2) return [];
  if (nameProblems(drafts).some((problem) => problem !== undefined)) return undefined;
  if (first === undefined || !drafts.slice(1).every(hasSource)) return undefined;
  return basesIn(drafts, first);
}
