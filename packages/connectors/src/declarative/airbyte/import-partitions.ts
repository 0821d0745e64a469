import { type Component, componentOf, componentsOf, textOf } from './component.ts';
import type { RequestParts } from './import-request.ts';
import { type Code, call, stepOf } from './jinja/code.ts';
import { withHelpers } from './jinja/python-functions.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { nameInRecord } from './record-key.ts';
import { scopeAt, type TemplateScope, variablesOf } from './variables.ts';

/** The parts of a stream that are requested one by one: the records of a parent, and the values of lists. */
export interface ImportedPartitions {
  /** The stream of the parent. */
  parent?: Component;
  /** Lists of values, by the name under which templates read one. */
  lists: { name: string; values: string }[];
  /** Codes of the values by the names under which templates read them. */
  slice: Map<string, Code>;
  /** Adds the values to a request. */
  inject(request: RequestParts): void;
}

/** Returns the steps of a path of dpath: `a/b`. */
function pathOf(stream: Component, path: string): string {
  if (/\{\{|\*/.test(path)) throw new UntranslatableError('a key of the parent that is computed');
  const [first = '', ...rest] = path.split('/');
  return [nameInRecord(stream, first), ...rest].map(stepOf).join('.');
}

function extraFields(parent: Component, stream: Component): [name: string, source: string][] {
  const fields = Array.isArray(parent.extra_fields) ? parent.extra_fields : [];
  return fields.map((field): [string, string] => {
    const path = (Array.isArray(field) ? field : [field]).map(String);
    const [first = '', ...rest] = path;
    return [path.join('.'), `parent.${[nameInRecord(stream, first), ...rest].map(stepOf).join('.')}`];
  });
}

class PartitionsImporter {
  readonly #injections: [option: Component, source: string][] = [];
  readonly result: ImportedPartitions = {
    lists: [],
    slice: new Map(),
    inject: (request) => {
      for (const [option, source] of this.#injections) request.inject(option, source);
    },
  };

  addList(router: Component, outer: TemplateScope): void {
    const scope = scopeAt(router, outer);
    const { constant: name } = translateTemplate(textOf(router, 'cursor_field'), variablesOf(scope));
    if (!name) throw new UntranslatableError('a list of parts without a name');
    const { values } = router;
    const source = Array.isArray(values)
      ? JSON.stringify(values)
      : translateTemplate(String(values ?? ''), variablesOf(scope)).value;
    const value = `part.${stepOf(name)}`;
    this.result.lists.push({ name, values: source });
    this.#set(name, value);
    const option = componentOf(router, 'request_option');
    if (option) this.#injections.push([option, value]);
  }

  addParent(router: Component): void {
    const parents = componentsOf(router, 'parent_stream_configs');
    const [parent] = parents;
    const stream = componentOf(parent, 'stream');
    if (!parent || !stream || parents.length > 1 || this.result.parent)
      throw new UntranslatableError('several parent streams');
    if (parent.lazy_read_pointer) throw new UntranslatableError('records within those of the parent');
    const name = textOf(parent, 'partition_field');
    const value = `parent.${pathOf(stream, textOf(parent, 'parent_key'))}`;
    this.result.parent = stream;
    this.#set(name, value);
    for (const [field, source] of extraFields(parent, stream))
      this.result.slice.set(`extra_fields.${field}`, call(source, 'any'));
    const option = componentOf(parent, 'request_option');
    if (option) this.#injections.push([option, withHelpers(`$str(${value})`)]);
  }

  #set(name: string, value: string): void {
    this.result.slice.set(name, call(value, 'any'));
    this.result.slice.set(`partition.${name}`, call(value, 'any'));
  }
}

/** Translates the partition routers of a retriever. @throws UntranslatableError */
export function importPartitions(retriever: Component, scope: TemplateScope): ImportedPartitions {
  const importer = new PartitionsImporter();
  for (const router of componentsOf(retriever, 'partition_router'))
    switch (router.type) {
      case 'ListPartitionRouter':
        importer.addList(router, scope);
        break;
      case 'SubstreamPartitionRouter':
        // Where a list comes first, the product sends the same requests in another order: all parts of one parent before the next.
        importer.addParent(router);
        break;
      default:
        throw new UntranslatableError(`the partition router ${String(router.type)}`);
    }
  return importer.result;
}

/** Returns the expression of an entity's parts: each value of each list, and of these each window of time. */
export function partsExpression(
  { lists }: Pick<ImportedPartitions, 'lists'>,
  windows: string | undefined,
  windowNames: readonly string[],
): string | undefined {
  const [first] = lists;
  if (!first) return windows;
  if (lists.length === 1 && windows === undefined)
    return `(${first.values}).{${JSON.stringify(first.name)}: $}`;
  const bound = lists.map(({ values }, index) => `$list${index + 1} := ${values}; `);
  const own = lists.map(({ name }, index) => `${JSON.stringify(name)}: $value${index + 1}`);
  const times = windowNames.map((name) => `${JSON.stringify(name)}: ${stepOf(name)}`);
  const innermost =
    windows === undefined ? `{${own.join(', ')}}` : `$windows.{${[...own, ...times].join(', ')}}`;
  const nested = lists.reduceRight(
    (inner, _, index) => `$list${index + 1}.($value${index + 1} := $; ${inner})`,
    innermost,
  );
  const before = windows === undefined ? '' : `$windows := ${windows}; `;
  return `(${bound.join('')}${before}${nested})`;
}
