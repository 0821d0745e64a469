import { BOARD_VIEWS } from './board-views.ts';
import type { ReadyBoardKey, SearchTile, TextTile, Tile, ViewTile } from './boards.ts';
import type { Chart } from './charts.ts';
import {
  type ConnectedProviders,
  isAvailable,
  type Need,
  type ReadyView,
  unmetNeeds,
} from './ready-views.ts';

/** A tile of a ready-made board. A view is named by its title. */
type ReadyTile =
  | Omit<TextTile, 'id'>
  | (Omit<SearchTile, 'id'> & { need: Need })
  | (Omit<ViewTile, 'id' | 'viewId'> & { view: string });

/** A board that is offered to everybody. */
export interface ReadyBoard {
  key: ReadyBoardKey;
  title: string;
  description: string;
  tiles: readonly ReadyTile[];
}

const view = (
  name: string,
  picture: ViewTile['picture'],
  [width, height]: readonly [number, number],
  chart?: Chart,
): ReadyTile => ({ kind: 'view', view: name, picture, width, height, title: '', ...(chart && { chart }) });

/** The ready-made boards, which are those of the demo workspace, too. */
export const READY_BOARDS: readonly ReadyBoard[] = [
  {
    key: 'my-week',
    title: 'My week',
    description: 'Reviews and mails that wait for you, open pull requests, unread mails and builds.',
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
    key: 'team-reviews',
    title: 'Team reviews',
    description: 'How long pull requests take, who reviews most, and which ones wait.',
    tiles: [
      view('Time to merge', 'chart', [6, 4]),
      view('Busy reviewers', 'chart', [6, 4]),
      view('Waiting for a review', 'table', [8, 5]),
      view('Merged by author', 'chart', [4, 5]),
      view('Opened by month', 'chart', [12, 4]),
    ],
  },
  {
    key: 'inbox',
    title: 'Inbox',
    description: 'Unread mails by sender, when mail arrives, the newest files, and full labels or mailboxes.',
    tiles: [
      view('Unread mails', 'chart', [3, 3]),
      view('Mail by hour', 'chart', [9, 4]),
      view('Unread by sender', 'chart', [6, 5]),
      {
        kind: 'search',
        need: 'mails',
        width: 6,
        height: 5,
        search: 'has:attachment',
        title: 'Newest files',
      },
      view('Mail by month', 'chart', [6, 4]),
      view('Full labels', 'table', [6, 4]),
    ],
  },
];

/** A tile, and what it needs: its view, or what a search finds. A text needs nothing. */
function sourceOf(tile: ReadyTile): ReadyView | Pick<ReadyView, 'title' | 'needs'> | undefined {
  if (tile.kind === 'text') return undefined;
  if (tile.kind === 'search') return { title: tile.title, needs: [tile.need] };
  return BOARD_VIEWS.find(({ title }) => title === tile.view);
}

/** What a ready-made board has with the providers that are connected. */
interface BoardParts {
  /** The tiles that have something to show. Empty: the board is not offered yet. */
  tiles: readonly ReadyTile[];
  /** The views of these tiles; a view comes after the one on which it builds. */
  views: readonly ReadyView[];
  /** What is left out for each unmet need: titles of tiles, e.g. `['Unread mails', 'part of Waiting for me']`. */
  leftOut: readonly { need: Need; parts: readonly string[] }[];
}

/** Returns what a ready-made board has with the providers that are connected. */
export function boardParts(board: ReadyBoard, connected: ConnectedProviders): BoardParts {
  const sources = board.tiles.map((tile) => ({ tile, source: sourceOf(tile) }));
  const shown = sources.filter(({ source }) => !source || isAvailable(source, connected));
  const titles = new Set(
    shown.flatMap(({ source }) =>
      source && 'write' in source
        ? [source.title, ...(source.basedOn === undefined ? [] : [source.basedOn])]
        : [],
    ),
  );
  const partsWithout = (need: Need) => {
    const lacking = sources.flatMap(({ source }) =>
      source && unmetNeeds(source, connected).includes(need) ? source : [],
    );
    const [partly, wholly] = [true, false].map((isPartly) =>
      lacking.filter((source) => isAvailable(source, connected) === isPartly).map(({ title }) => title),
    ) as [string[], string[]];
    return [...wholly, ...partly.map((title) => `part of ${title}`)];
  };
  return {
    tiles: shown.some(({ source }) => source) ? shown.map(({ tile }) => tile) : [],
    views: BOARD_VIEWS.filter(({ title }) => titles.has(title)),
    leftOut: (['code', 'mails'] as const)
      .map((need) => ({ need, parts: [...new Set(partsWithout(need))] }))
      .filter(({ parts }) => parts.length > 0),
  };
}

/** Returns the tiles as they are stored. @param viewIds the ids of the views by the titles of the ready-made ones */
export function storedTiles(tiles: readonly ReadyTile[], viewIds: ReadonlyMap<string, string>): Tile[] {
  return tiles.map((tile, index) => {
    const id = `tile-${index + 1}`;
    if (tile.kind === 'text') return { id, ...tile };
    if (tile.kind === 'search') {
      const { need: _need, ...rest } = tile;
      return { id, ...rest };
    }
    const { view: title, ...rest } = tile;
    return { id, ...rest, viewId: viewIds.get(title) ?? '' };
  });
}
