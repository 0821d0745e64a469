import type { ConnectorProblem, ConnectorSummary } from '@datadeck/contract';
import type { Tone } from '../../ui/badge.tsx';
import { countOf } from '../../ui/duration.ts';

/** Returns the badges of a connector: its state, and whether it has changes that are not published. */
export function badgesOf({
  state,
  version,
  draftAt,
}: Pick<ConnectorSummary, 'state' | 'version' | 'draftAt'>): { tone: Tone; text: string }[] {
  if (state === 'draft') return [{ tone: 'neutral', text: 'Draft' }];
  const published: { tone: Tone; text: string } =
    state === 'withdrawn'
      ? { tone: 'error', text: 'Withdrawn' }
      : { tone: 'success', text: `Published v${version ?? 1}` };
  return draftAt === null ? [published] : [published, { tone: 'secondary', text: 'Unpublished changes' }];
}

interface PublishState {
  draftAt: string | null;
  isDirty: boolean;
  isReadable: boolean;
  problems: readonly ConnectorProblem[];
}

/** Returns why the draft cannot be published; undefined if it can. */
export function publishObstacle({
  draftAt,
  isDirty,
  isReadable,
  problems,
}: PublishState): string | undefined {
  if (!isReadable) return 'The document cannot be read. Correct it first.';
  if (isDirty) return 'Save the draft first.';
  if (draftAt === null) return 'There are no changes to publish.';
  if (problems.length > 0) return `Correct ${countOf(problems.length, 'problem')} first.`;
  return undefined;
}

/** Longest key of a started document, characters: the ids of its entities begin with it. */
export const MAX_STARTED_KEY = 26;

/** Makes a key of a title: small letters, digits and hyphens, at most 26 characters; `Help desk` becomes `help-desk`. */
export function keyOf(title: string): string {
  const letters = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const words = letters.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const key = words
    .join('-')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_STARTED_KEY);
  return key.endsWith('-') ? key.slice(0, -1) : key;
}

/** Matches keys of connectors. */
const KEY = /^[a-z][a-z0-9-]{1,25}$/;

/** Returns what is wrong with the key of a new connector; undefined if nothing is. */
export function keyProblem(key: string, taken: readonly string[]): string | undefined {
  if (key === '') return 'Required';
  if (!KEY.test(key)) return 'Use 2 to 26 small letters, digits and hyphens, and begin with a letter';
  if (taken.includes(key)) return 'There is a connector with this key already';
  return undefined;
}
