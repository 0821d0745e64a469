import { isIdentifier } from '@datadeck/contract/table-columns';
import { quoteName } from '../../../ui/field-name.ts';
import { format } from '../language/format.ts';
import { canGroup, canMeasure, type RowField, valueAt } from './row-fields.ts';
import { groupColumns, writeSteps } from './write-steps.ts';

/** An expression that can be tried, and what it does in words. */
export interface Example {
  title: string;
  expression: string;
}

/** Columns of the example that selects some. */
const COLUMNS = 3;
/** Longest text in a title, UTF-16 units. */
const MAX_TEXT = 40;

/** Returns how many different values a field has in the rows. */
function distinctValues(rows: readonly unknown[], { path }: RowField): number {
  return new Set(rows.map((row) => valueAt(row, path))).size;
}

/** Returns the most frequent text of a field that fits into a title; undefined if there is none. */
function frequentText(rows: readonly unknown[], { path }: RowField): string | undefined {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = valueAt(row, path);
    if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT)
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function selectColumns(fields: readonly RowField[]): Example | undefined {
  const chosen = fields.filter(({ path, isList }) => path.length === 1 && !isList).slice(0, COLUMNS);
  if (chosen.length < COLUMNS) return undefined;
  const members = chosen.map(({ path: [name = ''] }) => `${JSON.stringify(name)}: ${quoteName(name)}`);
  const formatted = format(`$.{${members.join(', ')}}`);
  const title = `Only ${chosen.map(({ name }) => name).join(', ')}`;
  return formatted.ok ? { title, expression: formatted.text } : undefined;
}

/** Returns the example that leaves out the rows of bots, if rows say whether they are theirs. */
function withoutBots(fields: readonly RowField[]): Example | undefined {
  const bot = fields.find(({ path, kind }) => path.length === 1 && path[0] === 'bot' && kind === 'boolean');
  if (!bot) return undefined;
  const filter = { path: bot.path, condition: 'is', value: false, skipsNull: false } as const;
  return { title: 'Without bots', expression: writeSteps({ filters: [filter] }) };
}

/** Returns expressions over these rows that can be tried. @param fields their fields, from which those with telling values are chosen */
export function examplesFor(rows: readonly unknown[], fields: readonly RowField[]): Example[] {
  if (rows.length === 0) return [];
  const examples: (Example | undefined)[] = [
    { title: 'Number of rows', expression: writeSteps({ filters: [], measure: { summary: 'count' } }) },
    withoutBots(fields),
  ];
  const group = fields.find((field) => {
    const isName = field.kind === 'text' && !field.isMoment && canGroup(field);
    if (!isName || isIdentifier(field.path.at(-1) ?? '')) return false;
    const distinct = distinctValues(rows, field);
    return distinct > 1 && distinct <= rows.length / 2;
  });
  if (group) {
    const { path, name } = group;
    const text = frequentText(rows, group);
    const grouping = { path, convertsToText: true };
    const columns = groupColumns(grouping, { summary: 'count' });
    if (text !== undefined) {
      const filter = { path, condition: 'is', value: text, skipsNull: false } as const;
      examples.push({
        title: `Only rows whose ${name} is ${text}`,
        expression: writeSteps({ filters: [filter] }),
      });
    }
    examples.push({
      title: `Rows by ${name}`,
      expression: writeSteps({ filters: [], grouping, order: { path: [columns.measure], descending: true } }),
    });
  }
  const moment = fields.find((field) => field.isMoment && canGroup(field));
  if (moment) {
    const grouping = { path: moment.path, period: 'month', convertsToText: true } as const;
    const columns = groupColumns(grouping, { summary: 'count' });
    examples.push({
      title: `Rows by month of ${moment.name}`,
      expression: writeSteps({
        filters: [],
        grouping,
        order: { path: [columns.name], descending: false },
      }),
    });
  }
  const number = fields.find(
    (field) => field.path.length === 1 && canMeasure(field) && distinctValues(rows, field) > 1,
  );
  if (number) {
    const { path, name } = number;
    const skipsNull = true;
    examples.push({
      title: `Average of ${name}`,
      expression: writeSteps({ filters: [], measure: { summary: 'average', path, skipsNull } }),
    });
    examples.push({
      title: `Largest ${name} first`,
      expression: writeSteps({ filters: [], order: { path, descending: true, skipsNull } }),
    });
  }
  examples.push(selectColumns(fields));
  return examples.filter((example) => example !== undefined);
}
