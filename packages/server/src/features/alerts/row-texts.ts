import type { AlertChanges } from '@datadeck/contract';
import { AppError, withField } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { DataSet } from '../../platform/evaluation/index.ts';
import { newId } from '../../platform/ids.ts';
import { beginningOf, oneLine } from '../notifications/index.ts';
import type { AlertRow } from './channels.ts';

/** Longest text of a row, UTF-16 units. */
const MAX_TEXT = 500;

/** Checks the expression that writes the texts of rows; empty for none. @throws AppError expression-invalid */
export async function checkRowText(
  { evaluation }: Context,
  userId: string,
  expression: string,
): Promise<void> {
  if (expression !== '') await withField('rowText', evaluation.check(expression, userId));
}

/** Returns the expression's value for one row as one line: JSON of lists and objects, empty for none and for white space. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return beginningOf(oneLine(text), MAX_TEXT);
}

/**
 * Adds to changed rows the texts that the alert's expression writes. Where it writes none, and for all rows when it fails, a
 * message has the usual text.
 * @param input.whole from `ComparedResult`, in the order of `changes`
 * @throws AppError unavailable, rate-limited
 */
export async function writeRowTexts(
  { evaluation }: Context,
  { userId, rowText }: Pick<AlertRow, 'userId' | 'rowText'>,
  { changes, whole }: { changes: AlertChanges; whole: readonly unknown[] },
): Promise<AlertChanges> {
  const key = newId();
  const rows: DataSet = {
    key,
    family: key,
    rows: whole.length,
    async *read() {
      for (const row of whole) yield Buffer.from(`${JSON.stringify({ row })}\n`);
    },
  };
  // A row for which the expression has no value must keep its place.
  const expression = `[$map($, function($each) { { "text": $each.row.(\n${rowText}\n) } })]`;
  try {
    const { text } = await evaluation.page(
      { userId, rows, chain: [expression], urgency: 'saved' },
      { offset: 0, limit: whole.length },
    );
    const texts = JSON.parse(text) as { text?: unknown }[];
    return {
      ...changes,
      rows: changes.rows.map((row, index) => {
        const written = textOf(texts[index]?.text);
        return written === '' ? row : { ...row, text: written };
      }),
    };
  } catch (error) {
    // What another attempt could mend is not the expression's fault.
    if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'rate-limited')
      throw error;
    return { ...changes, textProblem: error.message };
  }
}
