import { defineExamples } from './example.ts';
import { BOARD, BOARD_TILE, CATEGORY, CHART_DATA, IDS, OK, PULL, QUERY, VIEW, VIEWS } from './objects.ts';

const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' } as const;
const TEMPLATE = { entryCollection: 'gh-pulls', templateKey: 'pulls-all' } as const;
const ROWS = { results: [PULL], count: 1 };
const VIEW_TEXTS = { title: VIEW.title, description: VIEW.description, jsonNataQuery: VIEW.jsonNataQuery };
const POINT = {
  at: '2026-11-25T09:00:00.000Z',
  cause: 'run',
  sync: { _id: IDS.sync, number: 12 },
  isUndone: false,
  isRedefined: false,
  values: { '': 42 },
} as const;
const SEARCH = { q: 'invoice from:amy has:attachment' };

/** Examples of records, searches, queries and views. */
export const DATA_EXAMPLES = defineExamples({
  exampleRecords: { params: PULLS, query: { limit: 1 }, response: ROWS },
  templates: {
    params: PULLS,
    response: [
      {
        _id: 'pulls-all',
        title: 'All pull requests',
        description: 'Newest first',
        templateKey: 'pulls-all',
        providerId: 'github',
        entryCollection: 'gh-pulls',
        isOfRecords: true,
        isSearchable: true,
        columns: ['number', 'title', 'author', 'state'],
      },
    ],
  },
  aggregation: { params: TEMPLATE, query: { page: 1, sort: '-created_at' }, response: ROWS },
  exportRecords: {
    params: PULLS,
    query: { format: 'ndjson' },
    stream: { type: 'application/x-ndjson', text: `${JSON.stringify(PULL)}\n` },
  },
  attachment: {
    params: { providerId: 'google', entityLabel: 'gmail-messages' },
    query: { record: '18c2f0a1b2c3d4e5', index: 0 },
    stream: { type: 'application/octet-stream', text: 'The bytes of the file' },
  },
  search: {
    query: { ...SEARCH, order: 'relevance', page: 1, facets: 'true' },
    response: {
      results: [
        {
          providerId: 'google',
          entityLabel: 'gmail-messages',
          account: 'ada@example.org',
          recordId: '18c2f0a1b2c3d4e5',
          occurredAt: '2026-11-24T16:20:00.000Z',
          title: [
            { text: 'Invoice', isMatch: true },
            { text: ' 2026-11', isMatch: false },
          ],
          excerpt: [{ text: 'Here is the invoice for November.', isMatch: false }],
          person: 'Amy <amy@example.org>',
          labels: ['INBOX'],
          mail: { sender: 'Amy', isUnread: true, files: ['invoice.pdf'], fileCount: 1, mailCount: 2 },
        },
      ],
      count: 1,
      isLimited: false,
      remarks: [],
      correctedText: null,
      unindexed: 0,
      indexing: [],
      facets: {
        facets: [
          { name: 'from', values: [{ value: 'amy@example.org', title: 'amy@example.org', count: 1 }] },
        ],
        count: 1,
        isLimited: false,
      },
    },
  },
  searchValues: { query: { operator: 'from', text: 'am' }, response: [{ value: 'amy@example.org' }] },
  recordReading: {
    params: { providerId: 'google', entityLabel: 'gmail-messages' },
    query: { record: '18c2f0a1b2c3d4e5' },
    response: {
      providerId: 'google',
      entityLabel: 'gmail-messages',
      account: 'ada@example.org',
      recordId: '18c2f0a1b2c3d4e5',
      title: 'Invoice 2026-11',
      occurredAt: '2026-11-24T16:20:00.000Z',
      facts: [{ title: 'From', values: ['Amy <amy@example.org>'] }],
      text: 'Here is the invoice for November.',
      textFormat: 'plain',
      html: null,
      isCutOff: false,
      url: 'https://mail.google.com/mail/u/0/#all/18c2f0a1b2c3d4e5',
      attachments: {
        files: [{ name: 'invoice.pdf', mimeType: 'application/pdf', size: 48_213 }],
        isCutOff: false,
        access: 'available',
      },
    },
  },
  recordConversation: {
    params: { providerId: 'google', entityLabel: 'gmail-messages' },
    query: { record: '18c2f0a1b2c3d4e5' },
    response: {
      mails: [
        {
          recordId: '18c2f0a1b2c3d4e5',
          sender: 'Amy',
          excerpt: 'Here is the invoice for November.',
          occurredAt: '2026-11-24T16:20:00.000Z',
          isUnread: true,
          fileCount: 1,
        },
      ],
      isCutOff: false,
      unindexed: 0,
    },
  },
  savedQueries: { query: { page: 1 }, response: [QUERY] },
  saveQuery: { body: { title: QUERY.title, jsonNataQuery: QUERY.jsonNataQuery }, response: QUERY },
  updateQuery: {
    params: { id: IDS.query },
    body: { title: QUERY.title, jsonNataQuery: QUERY.jsonNataQuery },
    response: QUERY,
  },
  deleteQuery: { params: { id: IDS.query }, response: OK },
  runQuery: {
    body: { ...TEMPLATE, search: 'label:bug', jsonNataQuery: '$count($[state = "open"])', page: 1 },
    response: { results: [43], count: 1, isArray: false, rows: 412, elapsedMs: 2.5 },
  },
  queryChart: {
    body: { ...TEMPLATE, jsonNataQuery: '$', chart: CHART_DATA.chart, timeZone: 'Europe/Berlin' },
    response: CHART_DATA,
  },
  downloadQuery: {
    body: { ...TEMPLATE, jsonNataQuery: '$[state = "open"]', format: 'csv' },
    stream: { type: 'text/csv', text: 'number,title\r\n42,Fix typo\r\n' },
  },
  views: { query: PULLS, response: VIEWS },
  allViews: { query: { page: 1 }, response: { results: VIEWS, count: 1 } },
  createView: {
    body: { ...VIEW_TEXTS, ...PULLS, templateKey: 'pulls-all', parameters: VIEW.parameters },
    response: VIEW,
  },
  updateView: {
    params: { viewId: IDS.view },
    body: { ...VIEW_TEXTS, display: VIEW.display },
    response: VIEW,
  },
  deleteView: { params: { viewId: IDS.view }, response: { ok: true, undo: 'v1.…' } },
  restoreView: { body: { undo: 'v1.…' }, response: VIEW },
  viewResults: {
    params: { viewId: IDS.view },
    query: { page: 1, parameters: '{"author":"octocat"}', sort: '-additions' },
    response: {
      ...ROWS,
      isArray: true,
      pushedDown: { text: 'author = "octocat"', rows: 1 },
    },
  },
  queryView: {
    params: { viewId: IDS.view },
    body: { jsonNataQuery: '$count($)', page: 1, parameters: { author: 'octocat' } },
    response: { results: [1], count: 1, isArray: false },
  },
  viewChart: {
    params: { viewId: IDS.view },
    body: { chart: CHART_DATA.chart, timeZone: 'Europe/Berlin', parameters: { author: 'octocat' } },
    response: CHART_DATA,
  },
  downloadView: {
    params: { viewId: IDS.view },
    query: { format: 'json', parameters: '{"author":"octocat"}' },
    stream: { type: 'application/json', text: JSON.stringify([PULL]) },
  },
  viewRuns: {
    params: { viewId: IDS.view },
    query: { page: 1 },
    response: {
      results: [
        {
          _id: IDS.sync,
          number: 12,
          at: '2026-11-25T08:00:12.000Z',
          entityLabel: 'gh-pulls',
          account: 'octocat',
          added: 20,
          updated: 3,
          removed: 1,
        },
      ],
      count: 1,
      isCut: false,
    },
  },
  viewAsOf: {
    params: { viewId: IDS.view },
    query: { run: IDS.sync, page: 1, parameters: '{"author":"octocat"}' },
    response: { ...ROWS, isArray: true },
  },
  viewDifference: {
    params: { viewId: IDS.view },
    query: { run: IDS.sync },
    response: {
      appeared: 1,
      disappeared: 0,
      changed: 0,
      rows: [{ kind: 'appeared', key: PULL.id, row: { id: PULL.id, title: PULL.title } }],
    },
  },
  curve: {
    params: { viewId: IDS.view },
    response: {
      isKept: true,
      since: '2026-11-25T08:00:00.000Z',
      parameters: '{"author":"octocat"}',
      kind: 'number',
      problem: null,
      count: 1,
      points: [POINT],
    },
  },
  keepCurve: {
    params: { viewId: IDS.view },
    body: { isKept: true, parameters: '{"author":"octocat"}' },
    response: OK,
  },
  curvePoints: {
    params: { viewId: IDS.view },
    query: { page: 1 },
    response: { results: [POINT], count: 1 },
  },
  downloadCurve: {
    params: { viewId: IDS.view },
    query: { format: 'csv' },
    stream: { type: 'text/csv', text: 'at,cause,sync,isUndone,isRedefined,group,number\n…' },
  },
  viewFeed: {
    params: { viewId: IDS.view },
    query: { format: 'atom', token: 'ddt_…', parameters: '{"author":"octocat"}' },
    stream: {
      type: 'application/atom+xml',
      text: '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">…</feed>',
    },
  },
  boards: {
    response: [
      { _id: BOARD._id, title: BOARD.title, tileCount: BOARD.tiles.length, updated_at: BOARD.updated_at },
    ],
  },
  board: { params: { boardId: IDS.board }, response: BOARD },
  createBoard: { body: { title: BOARD.title }, response: { ...BOARD, tiles: [], version: 1 } },
  addReadyBoard: {
    body: { key: 'team-reviews' },
    response: {
      board: { ...BOARD, title: 'Team reviews', version: 1 },
      createdViews: ['Time to merge', 'Busy reviewers'],
      reusedViews: [],
      leftOut: [],
    },
  },
  updateBoard: {
    params: { boardId: IDS.board },
    body: { title: BOARD.title, tiles: BOARD.tiles, version: 2 },
    response: BOARD,
  },
  addTile: { params: { boardId: IDS.board }, body: BOARD_TILE, response: BOARD },
  mailBoard: {
    params: { boardId: IDS.board },
    body: { weekly: true },
    response: { ...BOARD, weeklyMail: true },
  },
  deleteBoard: { params: { boardId: IDS.board }, response: OK },
  categories: { response: [CATEGORY] },
  createCategory: { body: { title: CATEGORY.title }, response: CATEGORY },
  updateCategory: { params: { id: IDS.category }, body: { title: CATEGORY.title }, response: CATEGORY },
  deleteCategory: { params: { id: IDS.category }, response: OK },
});
