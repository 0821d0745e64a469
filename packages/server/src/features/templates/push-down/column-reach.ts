import { type SQL, sql } from 'drizzle-orm';
import type { Column } from './columns.ts';
import type { FieldCondition, Order } from './condition.ts';
import { anyOf, type Reach } from './logic.ts';

const ORDERS: Readonly<Record<Order, SQL>> = {
  '<': sql.raw('<'),
  '<=': sql.raw('<='),
  '>': sql.raw('>'),
  '>=': sql.raw('>='),
};

/** An order of the database between two values. */
function ordered(left: SQL, order: Order, right: SQL): SQL {
  return sql`${left} ${ORDERS[order]} ${right}`;
}

/** Texts are ordered alike by code points (the database) and UTF-16 units (the engine) when one of them is ASCII. */
function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  return /^[\x01-\x7f]*$/.test(text);
}

/** A text that the engine can tell from the one in the column: U+FFFD stands there for what cannot be stored. */
function isExact(text: string): boolean {
  return !text.includes('\ufffd');
}

/** What a column tells of a condition; undefined: nothing. */
export function columnReach(condition: FieldCondition, column: Column): Reach | undefined {
  const { unsure } = column;
  const sure = (claim: SQL): Reach => ({ may: anyOf(claim, unsure), fails: false });
  const failing = (claim: SQL): Reach => ({ may: anyOf(claim, unsure), fails: unsure });
  const isText = column.kind === 'text' || column.kind === 'instant';
  switch (condition.kind) {
    case 'equals':
      if (isText && typeof condition.value === 'string')
        return sure(sql`${column.value} = ${condition.value}`);
      if (column.kind === 'number' && typeof condition.value === 'number')
        return sure(sql`${column.value} = ${condition.value}::double precision`);
      return undefined;
    case 'differs':
      return isText && typeof condition.value === 'string' && isExact(condition.value)
        ? sure(sql`${column.value} <> ${condition.value}`)
        : undefined;
    case 'compare': {
      const { value, order } = condition;
      if (column.kind === 'number' && typeof value === 'number')
        return failing(ordered(column.value, order, sql`${value}::double precision`));
      if (column.kind === 'instant' && typeof value === 'string' && isAscii(value))
        return failing(ordered(sql`(${column.value}) collate "C"`, order, sql`${value}`));
      return undefined;
    }
    case 'contains':
      return isText ? failing(sql`strpos(${column.value}, ${condition.value}) > 0`) : undefined;
    case 'includes':
      return column.kind === 'list' && typeof condition.value === 'string'
        ? sure(sql`${column.value} @> array[${condition.value}::text]`)
        : undefined;
    default:
      return undefined;
  }
}
