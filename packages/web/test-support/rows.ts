import { shapeOfRows } from '../src/features/expressions/language/shape.ts';

/** Rows like those of pull requests: nested objects, lists, an unusual name, and an optional field. */
export const ROWS = [
  {
    number: 1,
    title: 'Add a scanner',
    user: { login: 'ada', id: 7 },
    labels: [
      { name: 'bug', color: 'red' },
      { name: 'core', color: 'blue' },
    ],
    assignees: ['ada'],
    'merged at': '2024-01-02',
    head: { repo: { full_name: 'datadeck/app' } },
    created_at: '2024-01-01T00:00:00Z',
  },
  {
    number: 2,
    title: 'Fix it',
    user: { login: 'bob', id: 8 },
    labels: [{ name: 'bug', color: 'red' }],
    assignees: ['bob', 'ada'],
    milestone: { title: 'v1' },
    head: { repo: null },
    created_at: '2024-02-01T00:00:00Z',
  },
  {
    number: 3,
    title: 'Write docs',
    user: { login: 'cleo', id: 9 },
    labels: [],
    assignees: [],
    head: { repo: { full_name: 'datadeck/docs' } },
    created_at: '2024-03-01T00:00:00Z',
  },
];

/** The type environment of an expression over these rows. */
export const ENVIRONMENT = { root: shapeOfRows(ROWS) };

/** Removes the cursor mark `¦` from a text and returns its position. */
export function atCursor(text: string): [text: string, position: number] {
  const position = text.indexOf('¦');
  return [text.replace('¦', ''), position];
}
