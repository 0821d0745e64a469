import { type SQL, sql } from 'drizzle-orm';
import { isAscii, ordered } from './column-reach.ts';
import type { FieldCondition, Path } from './condition.ts';
import { anyOf, type Claim, type Reach } from './logic.ts';

/** Numbers that both sides read alike; others are left to the engine. */
const PLAIN_NUMBER = sql.raw(`'^-?[0-9]{1,15}(\\.[0-9]{1,15})?$'`);

interface Field {
  /** The value as json; null when there is none. */
  readonly json: SQL;
  readonly text: SQL;
  readonly type: SQL;
  /** An array stands on the way, which a path goes through item by item. */
  readonly throughArray: Claim;
}

/** The field at the top of the document, read once: see `reading`. */
const TOP = sql.raw('x.top');

function fieldAt([, ...rest]: Path): Field {
  let json = TOP;
  const onTheWay: SQL[] = [];
  for (const name of rest) {
    onTheWay.push(sql`json_typeof(${json}) = 'array'`);
    json = sql`(${json})->${name}::text`;
  }
  return {
    json,
    text: sql`(${json})#>>'{}'`,
    type: sql`json_typeof(${json})`,
    throughArray: anyOf(...onTheWay),
  };
}

/** What the documents themselves tell of a condition. */
export function documentReach(condition: FieldCondition): Reach {
  const { may, fails } = fieldReach(condition);
  const [top = ''] = condition.path;
  return { may: reading(top, may), fails: reading(top, fails) };
}

/** A claim about a field at the top of the document, which is read once and only where the claim is needed. */
function reading(top: string, claim: Claim): Claim {
  if (typeof claim === 'boolean') return claim;
  return sql`(select ${claim} from (select data->${top}::text as top offset 0) x)`;
}

function fieldReach(condition: FieldCondition): Reach {
  const field = fieldAt(condition.path);
  const { json, text, type, throughArray } = field;
  const isArray = anyOf(sql`${type} = 'array'`, throughArray);
  switch (condition.kind) {
    case 'equals':
      return { may: anyOf(isEqual(field, condition.value), isArray), fails: false };
    case 'differs':
      return typeof condition.value === 'string'
        ? {
            may: anyOf(
              sql`(${json} is not null and not coalesce(${type} = 'string' and ${text} = ${condition.value}, false))`,
              throughArray,
            ),
            fails: false,
          }
        : { may: anyOf(sql`${json} is not null`, throughArray), fails: false };
    case 'exists':
      return { may: anyOf(sql`${json} is not null`, throughArray), fails: false };
    case 'contains':
      return unlessOdd(field, sql`'string'`, sql`strpos(${text}, ${condition.value}) > 0`);
    case 'includes':
      return {
        may: anyOf(includes(condition.path, condition.value), throughArrays(condition.path)),
        fails: false,
      };
    default: {
      const { value, order } = condition;
      if (typeof value === 'number')
        return unlessOdd(
          field,
          sql`'number'`,
          ifPlain(text, (number) => ordered(number, order, sql`${value}::double precision`)),
        );
      return isAscii(value)
        ? unlessOdd(field, sql`'string'`, ordered(sql`(${text}) collate "C"`, order, sql`${value}`))
        : { may: anyOf(sql`${json} is not null`, throughArray), fails: true };
    }
  }
}

function isEqual({ json, text, type }: Field, value: string | number | boolean | null): SQL {
  if (typeof value === 'string') return sql`${text} = ${value}`;
  if (typeof value === 'number')
    return sql`(case when ${type} = 'number' then ${ifPlain(text, (number) => sql`${number} = ${value}::double precision`)} end)`;
  return sql`(${json})::text = ${String(value)}`;
}

/** A claim about a number that the database surely reads as the engine does. */
function ifPlain(text: SQL, claim: (number: SQL) => SQL): SQL {
  return sql`(case when ${text} ~ ${PLAIN_NUMBER} then ${claim(sql`(${text})::double precision`)} else true end)`;
}

/** A claim about values of one type; any other value, if there is one, fails. */
function unlessOdd({ json, type, throughArray }: Field, expected: SQL, claim: SQL): Reach {
  return {
    may: anyOf(
      sql`(case when ${type} = ${expected} then ${claim} else ${json} is not null end)`,
      throughArray,
    ),
    fails: anyOf(sql`(${json} is not null and ${type} <> ${expected})`, throughArray),
  };
}

/** The value is the field, or in the list that it is, or a field of the objects in a list. */
function includes(path: Path, value: string | number): Claim {
  if (typeof value === 'number') return sql`${fieldAt(path).json} is not null`;
  const { json, text, type } = fieldAt(path);
  const direct = sql`(case when ${type} = 'array' then exists (
    select 1 from json_array_elements(${json}) e where json_typeof(e) = 'array' or e#>>'{}' = ${value}) else ${text} = ${value} end)`;
  const name = path.at(-1);
  if (path.length < 2 || name === undefined) return direct;
  const list = fieldAt(path.slice(0, -1));
  return sql`(case when ${list.type} = 'array' then exists (
    select 1 from json_array_elements(${list.json}) e
    where json_typeof(e) = 'array' or json_typeof(e->${name}::text) = 'array' or e->>${name}::text = ${value}) else ${direct} end)`;
}

/** Whether a list stands further up than `includes` looks. */
function throughArrays(path: Path): Claim {
  return path.length < 3 ? false : fieldAt(path.slice(0, -1)).throughArray;
}
