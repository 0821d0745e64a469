import { defineExamples } from './example.ts';
import { BOARD, CHART_DATA, PULL } from './objects.ts';

const TILE = { tileId: 'k3x9' };
const EXPIRES_AT = '2026-12-25T08:00:00.000Z';

/** Examples of shared pages. */
export const SHARE_EXAMPLES = defineExamples({
  openShare: {
    body: {
      share: 'Cx9qUnwdTFWaPl8vjx8KAae5wdNef0ucnD1Pa4oMLqQ',
      secret: 'q0Yf…',
      password: 'correct horse battery',
    },
    response: { session: 'dds_eyJrZXkiOiI…', expiresAt: '2026-11-25T09:00:00.000Z' },
  },
  sharedPage: {
    response: {
      kind: 'board',
      title: BOARD.title,
      tiles: [
        {
          id: TILE.tileId,
          kind: 'view',
          width: 6,
          height: 4,
          picture: 'table',
          title: 'Open reviews',
          columns: [{ name: 'title', width: 320 }],
          preferred: [],
        },
      ],
      expiresAt: EXPIRES_AT,
    },
  },
  sharedRows: {
    params: TILE,
    query: { page: 1, sort: '-additions' },
    response: { results: [PULL], count: 1, isArray: true },
  },
  sharedChart: { params: TILE, query: { timeZone: 'Europe/Berlin' }, response: CHART_DATA },
  sharedDownload: {
    params: TILE,
    query: { format: 'json' },
    stream: { type: 'application/json', text: JSON.stringify([PULL]) },
  },
});
