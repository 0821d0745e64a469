import {
  isMembers,
  listAt,
  membersAt,
  type Path,
  pathText,
  readDocument,
  textAt,
  valueAt,
  withValue,
  writeDocument,
} from './document-text.ts';

/** Longest key of an entity or a template, characters. */
const MAX_KEY = 31;

/** Returns a copy of members in which one has another name and the same position. */
export function renameMember(
  members: Record<string, unknown>,
  before: string,
  after: string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name === before ? after : name, value]),
  );
}

/** Returns a name that is not taken: `column`, `column2`, … */
export function freeName(base: string, taken: readonly string[]): string {
  let name = base;
  for (let count = 2; taken.includes(name); count++) name = `${base}${count}`;
  return name;
}

/** Returns a key of at most 31 characters that is not taken: the base itself, or its beginning with a number. */
export function freeKey(base: string, taken: readonly string[]): string {
  const cut = (length: number) => base.slice(0, length).replace(/-$/, '');
  let key = cut(MAX_KEY);
  for (let count = 2; taken.includes(key); count++)
    key = `${cut(MAX_KEY - 1 - String(count).length)}-${count}`;
  return key;
}

/** Returns a function that renames the keys that begin with a former one, each to another one of at most 31 characters. */
function keyRenamer(former: string, key: string): (name: unknown) => unknown {
  const renamed = new Map<string, string>();
  return (name) => {
    if (typeof name !== 'string' || !name.startsWith(`${former}-`)) return name;
    const known = renamed.get(name) ?? freeKey(key + name.slice(former.length), [...renamed.values()]);
    renamed.set(name, known);
    return known;
  };
}

/** Renames a copied document: its key, and the ids of entities and keys of templates, which begin with it. */
export function renameKey(text: string, key: string): string {
  const { document } = readDocument(text);
  if (!document) return text;
  const former = textAt(document, ['key']);
  const renameId = keyRenamer(former, key);
  const renameTemplate = keyRenamer(former, key);
  const entities = listAt(document, ['entities']).map((entity) => {
    if (!isMembers(entity)) return entity;
    const copy: Record<string, unknown> = { ...entity, id: renameId(entity.id) };
    if (entity.parent !== undefined) copy.parent = renameId(entity.parent);
    if (Array.isArray(entity.templates))
      copy.templates = entity.templates.map((template: unknown) =>
        isMembers(template) ? { ...template, key: renameTemplate(template.key) } : template,
      );
    return copy;
  });
  return writeDocument({ ...document, key, entities });
}

/** Sets the values at some paths to another text where they are `before`. */
function replaceTexts(document: unknown, paths: readonly Path[], before: string, after: string): unknown {
  return paths.reduce(
    (changed, path) => (valueAt(changed, path) === before ? withValue(changed, path, after) : changed),
    document,
  );
}

const indexesOf = (document: unknown, path: Path): Path[] =>
  listAt(document, path).map((_item, index) => [...path, index]);

/** Renames a column of an entity with everything in the document that names it. @param entity path of the entity */
export function renameColumn(document: unknown, entity: Path, before: string, after: string): unknown {
  const columns: Path = [...entity, 'columns'];
  const templates = indexesOf(document, [...entity, 'templates']);
  const paths = templates.flatMap((at): Path[] => [
    [...at, 'by'],
    // Those of whole records are fields.
    ...(textAt(document, [...at, 'kind']) === 'records' ? [] : indexesOf(document, [...at, 'columns'])),
    ...indexesOf(document, [...at, 'where']).map((one) => [...one, 'column']),
    ...indexesOf(document, [...at, 'measures']).map((one) => [...one, 'column']),
    ...indexesOf(document, [...at, 'orderBy'])
      .filter(() => !hasMeasure(document, at, before))
      .map((one) => [...one, 'by']),
  ]);
  return replaceTexts(
    withValue(document, columns, renameMember(membersAt(document, columns), before, after)),
    [
      [...entity, 'sortedBy'],
      [...entity, 'titleColumn'],
      [...entity, 'incremental', 'column'],
      [...entity, 'reading', 'person'],
      [...entity, 'reading', 'labels'],
      ...paths,
    ],
    before,
    after,
  );
}

const hasMeasure = (document: unknown, template: Path, name: string) =>
  listAt(document, [...template, 'measures']).some((measure) => textAt(measure, ['name']) === name);

/** Renames a measure of a template, and where its rows are ordered by it. */
export function renameMeasure(document: unknown, template: Path, index: number, after: string): unknown {
  const at: Path = [...template, 'measures', index, 'name'];
  const before = textAt(document, at);
  const orders = indexesOf(document, [...template, 'orderBy']).map((one) => [...one, 'by']);
  return replaceTexts(withValue(document, at, after), before === '' ? [] : orders, before, after);
}

/** Renames an entity, and where others name it as their parent. */
export function renameEntity(document: unknown, entity: Path, after: string): unknown {
  const at = [...entity, 'id'];
  const before = textAt(document, at);
  const parents = indexesOf(document, ['entities']).map((one) => [...one, 'parent']);
  const rules = indexesOf(document, ['failures']).flatMap((rule) =>
    indexesOf(document, [...rule, 'entities']),
  );
  const paths = before === '' ? [] : [...parents, ...rules];
  return replaceTexts(withValue(document, at, after), paths, before, after);
}

/** Renames a field of the connect form, and where the sign-in names it. */
export function renameConnectField(document: unknown, field: Path, after: string): unknown {
  const at = [...field, 'name'];
  const before = textAt(document, at);
  const keys = ['others', 'keys'].flatMap((member) => indexesOf(document, ['authentication', member]));
  const paths = [
    ...['user', 'client', 'clientSecret'].map((member) => ['authentication', member]),
    ...keys.map((key) => [...key, 'field']),
  ];
  const renamed = withValue(document, at, after);
  if (before === '') return renamed;
  const texts = [
    ...['value', 'userText'].map((member) => ['authentication', member]),
    ...indexesOf(document, ['authentication', 'tokenParts']).map((part) => [...part, 'value']),
  ];
  return texts.reduce<unknown>(
    (changed, path) => {
      const text = textAt(changed, path);
      const hole = `{${before}}`;
      return text.includes(hole)
        ? withValue(
            changed,
            path,
            text.replaceAll(hole, () => `{${after}}`),
          )
        : changed;
    },
    replaceTexts(renamed, paths, before, after),
  );
}

/** Renames a field that is added to the records of an entity, and where reading and templates name it. */
export function renameAddedField(document: unknown, entity: Path, before: string, after: string): unknown {
  const added: Path = [...entity, 'add'];
  const reading: Path = [...entity, 'reading'];
  const wholeRecords = indexesOf(document, [...entity, 'templates']).filter(
    (at) => textAt(document, [...at, 'kind']) === 'records',
  );
  const paths: Path[] = [
    [...reading, 'body'],
    [...reading, 'address'],
    ...indexesOf(document, [...reading, 'facts']).map((fact) => [...fact, 'field']),
    ...wholeRecords.flatMap((at) => indexesOf(document, [...at, 'columns'])),
  ];
  const start = withValue(document, added, renameMember(membersAt(document, added), before, after));
  return paths.reduce((changed, path) => {
    const field = textAt(changed, path);
    if (field !== before && !field.startsWith(`${before}.`)) return changed;
    return withValue(changed, path, after + field.slice(before.length));
  }, start);
}

/** Returns whether an expression or a path mentions a name, e.g. `settings.project`; not one that only begins with it. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/[\w.]/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + name.length))) return true;
  return false;
}

/** Finds the paths of texts that mention a name, e.g. `settings.project`: expressions are renamed by a person. */
export function findMentions(document: unknown, path: Path, name: string): string[] {
  const value = valueAt(document, path);
  if (typeof value === 'string') return mentions(value, name) ? [pathText(path)] : [];
  if (Array.isArray(value))
    return value.flatMap((_item, index) => findMentions(document, [...path, index], name));
  return isMembers(value)
    ? Object.keys(value).flatMap((step) => findMentions(document, [...path, step], name))
    : [];
}
