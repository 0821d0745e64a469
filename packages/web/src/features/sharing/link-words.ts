import type { ApiToken } from '@datadeck/contract';
import { countOf } from '../../ui/duration.ts';
import type { Shared } from './shared-subject.ts';

/** Says what everybody who has a link to it can do. */
export function meaningOf({ kind, inputs, tiles }: Shared): string {
  const values = inputs.length > 0 ? ', with the values below' : '';
  if (kind === 'view')
    return `Everybody who has the link can read and download all rows of this view${values}. They see new rows, and changes you make to the view.`;
  const views = tiles?.views ?? 0;
  const content =
    views === 0
      ? 'read the texts on this board'
      : `read and download all rows of the ${countOf(views, 'view')} on this board`;
  return `Everybody who has the link can ${content}${values}. They see changes you make to the board, also views that you add.`;
}

/** Says what a person who accepts an invitation to it can do. */
export function meaningOfInvitation({ kind, inputs, tiles }: Shared): string {
  const values = inputs.length > 0 ? ', with the values below' : '';
  const rows =
    kind === 'view' ? 'the rows of this view' : tiles?.views ? 'the rows of its views' : 'its texts';
  return `An invitation lets one person with an account on this server read ${rows} in their dashboard${values}. They can also make a copy: it has the expressions of the views and reads their own records. You see who accepts.`;
}

/** Says that the searches of a board are left out; undefined without one. */
export function leftOutOf({ tiles }: Shared): string | undefined {
  if (!tiles?.searches) return undefined;
  return tiles.searches === 1 ? 'Its search is left out.' : `Its ${tiles.searches} searches are left out.`;
}

/** Returns the fixed values of a link: `repo = harbor, since = 2026-11-01`; undefined without one. */
export function fixedValuesOf({ parameters }: Pick<ApiToken, 'parameters'>): string | undefined {
  const values = Object.entries(JSON.parse(parameters ?? '{}'));
  if (values.length === 0) return undefined;
  return values.map(([name, value]) => `${name} = ${value}`).join(', ');
}
