import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { RECORD_COLUMNS } from './pre-images.ts';
import { records, recordUndo } from './tables.ts';

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const columnsOf = (table: typeof records | typeof recordUndo) =>
  Object.keys(getTableColumns(table)).map(snake).sort();

test('whatever a record has is kept for the undo', () => {
  expect(columnsOf(records)).toEqual([...RECORD_COLUMNS].sort());
  expect(columnsOf(recordUndo)).toEqual([...RECORD_COLUMNS, 'sync_id'].sort());
});
