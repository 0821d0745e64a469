import type { EntityDefinition } from './connector.ts';
import {
  COLUMN_TYPES,
  type ColumnDefinition,
  SYSTEM_COLUMNS,
  type TableDefinition,
  type TemplateDefinition,
} from './table.ts';

/** Names that need no quotes in SQL and are short enough to derive index names from. */
const NAME = /^[a-z][a-z0-9_]{0,40}$/;

function columnProblems(
  name: string,
  { type, copies, standIns, fractionDigits, maxLength }: ColumnDefinition,
): string[] {
  const hasInstantText = type === 'timestamptz' && copies !== undefined;
  return [
    ...(NAME.test(name) ? [] : ['its name is none']),
    ...((SYSTEM_COLUMNS as readonly string[]).includes(name) ? ['its name is a column of every table'] : []),
    ...(COLUMN_TYPES.includes(type) ? [] : [`there is no type ${type}`]),
    ...(maxLength === undefined || (type === 'text' && copies === undefined)
      ? []
      : ['only a text column that copies no field has a maximum of its own']),
    ...(copies?.length === 0 ? ['the path that it copies is empty'] : []),
    ...(copies === undefined && standIns !== undefined ? ['it has stand-ins but copies no field'] : []),
    ...(hasInstantText === (fractionDigits !== undefined)
      ? []
      : ['an instant that copies a field has fraction digits, and no other column has']),
  ].map((problem) => `column ${name}: ${problem}`);
}

function ownProblems(id: string, { name, columns, title, listedBy }: TableDefinition): string[] {
  const expected = id.replaceAll('-', '_');
  return [
    ...(name === expected && NAME.test(name) ? [] : [`its table is not called ${expected}`]),
    ...Object.entries(columns).flatMap(([column, definition]) => columnProblems(column, definition)),
    ...(Object.hasOwn(columns, title) && columns[title]?.type === 'text'
      ? []
      : ['the title of its table is no text column']),
    ...(listedBy === undefined || columns[listedBy]?.type === 'timestamptz'
      ? []
      : ['its table is not listed by a timestamptz column']),
  ];
}

function templateProblems(template: TemplateDefinition, table: TableDefinition): string[] {
  const { key, title, description } = template;
  const problems = [title, description].some((text) => text.trim() === '')
    ? ['it has no title or no description']
    : [];
  if (template.kind === 'documents') {
    const last = template.orderBy.at(-1);
    if (last?.by !== 'id') problems.push('its order does not end with id');
  } else {
    if (!template.sql.includes(table.name)) problems.push('its SQL does not read the table');
    if (template.sql.includes(';')) problems.push('its SQL has a semicolon');
    if (!/\border by\b/i.test(template.sql)) problems.push('its SQL has no order');
  }
  return problems.map((problem) => `template ${key}: ${problem}`);
}

/** Returns the faults of the table and templates that an entity declares; an empty list if there are none. */
export function tableProblems({ id, table, templates, extraction }: EntityDefinition): string[] {
  return [
    ...(Number.isInteger(extraction) && extraction > 0 ? [] : ['its extraction has no version']),
    ...ownProblems(id, table),
    ...templates.flatMap((template) => templateProblems(template, table)),
  ];
}
