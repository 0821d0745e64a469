import type { Chart, SearchTile, TextTile, Tile, ViewTile } from '@datadeck/contract';

/** A tile of the demo workspace. A view is named by its title. */
type SampleTile =
  | Omit<TextTile, 'id'>
  | Omit<SearchTile, 'id'>
  | (Omit<ViewTile, 'id' | 'viewId'> & { view: string });

interface SampleBoard {
  title: string;
  tiles: readonly SampleTile[];
}

const view = (
  name: string,
  picture: ViewTile['picture'],
  [width, height]: readonly [number, number],
  chart?: Chart,
): SampleTile => ({ kind: 'view', view: name, picture, width, height, title: '', ...(chart && { chart }) });

/** The boards of the demo workspace. */
const SAMPLE_BOARDS: readonly SampleBoard[] = [
  {
    title: 'My week',
    tiles: [
      {
        kind: 'text',
        width: 12,
        height: 1,
        text: '**What waits for you.** Everything here follows the next synchronization by itself.',
      },
      view('Waiting for me', 'table', [8, 6]),
      view('Open pull requests', 'chart', [4, 2]),
      view('Unread mails', 'chart', [4, 2]),
      view('Failed builds', 'chart', [4, 2], { kind: 'number', measure: 'count', unit: 'runs' }),
      view('Builds by day', 'chart', [6, 4], {
        kind: 'bars',
        x: 'created_at',
        series: 'conclusion',
        measure: 'count',
        bucket: 'day',
      }),
      view('Failed builds', 'list', [6, 4]),
    ],
  },
  {
    title: 'Team reviews',
    tiles: [
      view('Time to merge', 'chart', [6, 4]),
      view('Busy reviewers', 'chart', [6, 4]),
      view('Waiting for a review', 'table', [8, 5]),
      view('Merged by author', 'chart', [4, 5]),
      view('Opened by month', 'chart', [12, 4]),
    ],
  },
  {
    title: 'Inbox',
    tiles: [
      view('Unread mails', 'chart', [3, 3]),
      view('Mail by hour', 'chart', [9, 4]),
      view('Unread by sender', 'chart', [6, 5]),
      { kind: 'search', width: 6, height: 5, search: 'has:attachment', title: 'Newest files' },
      view('Mail by month', 'chart', [6, 4]),
      view('Full labels', 'table', [6, 4]),
    ],
  },
];

/** Returns the boards of a demo workspace. @param viewIds the ids of its views by title */
export function sampleBoards(viewIds: ReadonlyMap<string, string>): { title: string; tiles: Tile[] }[] {
  return SAMPLE_BOARDS.map(({ title, tiles }) => ({
    title,
    tiles: tiles.map((tile, index) => {
      const id = `tile-${index + 1}`;
      if (tile.kind !== 'view') return { id, ...tile };
      const { view: name, ...rest } = tile;
      return { id, ...rest, viewId: viewIds.get(name) ?? '' };
    }),
  }));
}
