import { PLAN_LIMITS, type Setting } from '@datadeck/contract';
import type { DocumentEntity } from '@datadeck/contract/connector-document';
import {
  type ColumnDefinition,
  defineEntity,
  type EntityDefinition,
  type TableDefinition,
} from '../sdk/index.ts';
import { COLUMN_TYPE_OF } from './column-value.ts';
import type { DocumentEvaluator } from './document-evaluator.ts';
import type { PageSource } from './page-source.ts';
import { EntityReader } from './reader.ts';
import { readingOf, searchOf } from './search.ts';
import type { ShownNames } from './stored-names.ts';
import { templatesOf } from './templates.ts';

function settingsOf({ id, settings }: DocumentEntity): Setting[] {
  return settings.map(({ name, errorText, label, ...field }) => ({
    ...field,
    id: `${id}-${name}`,
    propKey: name,
    label,
    type: 'text',
    disabled: false,
    isChecked: false,
    errorText: errorText === '' ? `Please enter a valid value for ${label.toLowerCase()}` : errorText,
  }));
}

function tableOf(
  { id, columns, titleColumn, sortedBy, parent, parts }: DocumentEntity,
  shown: ShownNames,
): TableDefinition {
  const definitions = Object.entries(columns).map(([name, { type }]): [string, ColumnDefinition] => {
    const shownAs = shown.get(name);
    return [name, { type: COLUMN_TYPE_OF[type], ...(shownAs !== undefined && { shownAs }) }];
  });
  return {
    name: id.replaceAll('-', '_'),
    title: titleColumn,
    columns: Object.fromEntries(definitions),
    // Records of several lists are sorted by their date.
    ...(sortedBy !== undefined && parent === undefined && parts === undefined && { listedBy: sortedBy }),
  };
}

/** Declares an entity of a document. @param shown names under which people see columns that are stored under others */
export function entityOf(
  entity: DocumentEntity,
  {
    evaluator,
    source,
    shown = new Map(),
  }: { evaluator: DocumentEvaluator; source: PageSource; shown?: ShownNames | undefined },
): EntityDefinition {
  const table = tableOf(entity, shown);
  const reader = new EntityReader(entity, source);
  return defineEntity({
    id: entity.id,
    title: entity.title,
    description: `<p>${entity.description.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`,
    dependsOn: [],
    multi: true,
    limits: PLAN_LIMITS['gh-pulls'],
    settings: settingsOf(entity),
    scopeOf: (settings) =>
      entity.settings.map(({ name }) => encodeURIComponent(settings[name] ?? '')).join('&'),
    table,
    templates: templatesOf(entity, table.name, shown),
    search: searchOf(entity),
    reading: readingOf(entity),
    extraction: entity.extraction,
    convert: async (data) => ({ data, ...(await evaluator.extract(entity.id, data)) }),
    read: (request) => reader.read(request),
    estimate: (request) => reader.estimate(request),
    listIds: (request) => reader.listIds(request),
  });
}
