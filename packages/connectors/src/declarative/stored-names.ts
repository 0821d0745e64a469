import type {
  DocumentCondition,
  DocumentEntity,
  DocumentTemplate,
} from '@datadeck/contract/connector-document';

/**
 * Under which names the columns of an entity are stored, where these differ: `{ points: 'points_v1' }`. A column whose type changed
 * is stored beside the one of the earlier type.
 */
export type StoredNames = Readonly<Record<string, string>>;
/** Names under which people see columns, by the names under which they are stored. */
export type ShownNames = ReadonlyMap<string, string>;

/** Returns the names under which people see the columns of an entity. */
export function shownNames(names: StoredNames): ShownNames {
  return new Map(Object.entries(names).map(([shown, stored]) => [stored, shown]));
}

type Rename = (column: string) => string;

function renamedTemplate(template: DocumentTemplate, stored: Rename): DocumentTemplate {
  if (template.kind === 'records') return template;
  const where = template.where.map(
    (condition): DocumentCondition => ({ ...condition, column: stored(condition.column) }),
  );
  if (template.kind === 'rows') {
    const orderBy = template.orderBy.map((order) => ({ ...order, by: stored(order.by) }));
    return { ...template, where, orderBy, columns: template.columns.map(stored) };
  }
  // `orderBy` names columns of the result.
  const measures = template.measures.map(({ column, ...measure }) => ({
    ...measure,
    ...(column !== undefined && { column: stored(column) }),
  }));
  return { ...template, where, measures, by: stored(template.by) };
}

/** Returns an entity whose columns have the names under which they are stored. */
export function withStoredNames(entity: DocumentEntity, names: StoredNames): DocumentEntity {
  const stored: Rename = (column) => (Object.hasOwn(names, column) ? (names[column] ?? column) : column);
  const { columns, titleColumn, sortedBy, incremental, reading, templates } = entity;
  return {
    ...entity,
    columns: Object.fromEntries(Object.entries(columns).map(([name, column]) => [stored(name), column])),
    titleColumn: stored(titleColumn),
    ...(sortedBy !== undefined && { sortedBy: stored(sortedBy) }),
    ...(incremental && { incremental: { ...incremental, column: stored(incremental.column) } }),
    reading: {
      ...reading,
      ...(reading.person !== undefined && { person: stored(reading.person) }),
      ...(reading.labels !== undefined && { labels: stored(reading.labels) }),
    },
    templates: templates.map((template) => renamedTemplate(template, stored)),
  };
}
