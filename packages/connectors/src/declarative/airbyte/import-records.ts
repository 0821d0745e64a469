import { type Component, componentOf, componentsOf, isComponent, textOf } from './component.ts';
import { call, stepOf } from './jinja/code.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { isSet, requireTranslatable } from './refused-members.ts';
import { scopeAt, type TemplateScope, variablesOf } from './variables.ts';

/** Returns the path of the records in an answer. */
function extracted(extractor: Component | undefined, outer: TemplateScope): string {
  if (extractor && extractor.type !== 'DpathExtractor')
    throw new UntranslatableError(`the extractor ${String(extractor.type)}`);
  requireTranslatable(extractor);
  const path = Array.isArray(extractor?.field_path) ? extractor.field_path : [];
  return path.reduce<string>((before, part) => {
    const { constant: name } = translateTemplate(String(part), variablesOf(scopeAt(extractor, outer)));
    if (name === undefined) throw new UntranslatableError('a path of records that is computed');
    if (name === '') return before;
    if (name === '*')
      return `($all := ${before}; $type($all) = "object" ? $each($all, function($i){ $i }) : $all)`;
    return `${before}.${/^\d+$/.test(name) ? `$[${name}]` : stepOf(name)}`;
  }, 'response');
}

function removed(records: string, fields: unknown): string {
  const pointers = Array.isArray(fields) ? fields : [];
  return pointers.reduce<string>((before, pointer) => {
    const path = (Array.isArray(pointer) ? pointer : [pointer]).map(String);
    const last = path.at(-1);
    if (last === undefined || path.some((part) => part.includes('*')))
      throw new UntranslatableError('a pattern of fields to remove');
    const owner = path.length === 1 ? '$' : path.slice(0, -1).map(stepOf).join('.');
    return `(${before} ~> |${owner}|{}, ${JSON.stringify([last])}|)`;
  }, records);
}

/** Returns an object with a value at a path: `{"a": {"b": …}}`. */
function nested(path: readonly string[], value: string): string {
  return path.reduceRight((inner, name) => `{${JSON.stringify(name)}: ${inner}}`, value);
}

function added(records: string, transformation: Component, outer: TemplateScope): string {
  const scope = scopeAt(transformation, outer);
  const variables = variablesOf({ ...scope, roots: { ...scope.roots, record: call('$r', 'any') } });
  return componentsOf(transformation, 'fields').reduce<string>((before, field) => {
    const path = Array.isArray(field.path) ? field.path.map(String) : [];
    const template = typeof field.value === 'string' ? field.value : JSON.stringify(field.value ?? null);
    const isText = field.value_type === 'string';
    if (!isText && isSet(field.value_type))
      throw new UntranslatableError('an added field of a type of its own');
    const translated = translateTemplate(template, variables);
    const value = isText ? translated.text : translated.value;
    if (path.length !== 1) throw new UntranslatableError('an added field below another one');
    return `$map(${before}, function($r){ $merge([$r, ${nested(path, value)}]) })`;
  }, records);
}

/** The records of an answer, and their number on a page before any is left out. */
export interface ImportedRecords {
  records: string;
  /** Absent where no record is left out. */
  count?: string;
}

function filtered(records: string, filter: Component, outer: TemplateScope): string {
  if (filter.type !== 'RecordFilter') throw new UntranslatableError(`the filter ${String(filter.type)}`);
  const scope = scopeAt(filter, outer);
  const variables = variablesOf({ ...scope, roots: { ...scope.roots, record: call('$r', 'any') } });
  const { truth } = translateTemplate(textOf(filter, 'condition'), variables);
  return `$filter(${records}, function($r){ ${truth} })`;
}

function transformed(records: string, stream: Component, scope: TemplateScope): string {
  const { transformations } = stream;
  return (Array.isArray(transformations) ? transformations.filter(isComponent) : []).reduce((before, one) => {
    requireTranslatable(one);
    if (one.type === 'AddFields') return added(before, one, scope);
    if (one.type === 'RemoveFields') return removed(before, one.field_pointers);
    throw new UntranslatableError(`the transformation ${String(one.type)}`);
  }, records);
}

/** Translates where the records of an answer are, which of them are meant, and how they are changed. @throws UntranslatableError */
export function importRecords(stream: Component, scope: TemplateScope): ImportedRecords {
  const selector = componentOf(componentOf(stream, 'retriever'), 'record_selector');
  const all = extracted(componentOf(selector, 'extractor'), scope);
  const filter = componentOf(selector, 'record_filter');
  if (!filter) return { records: transformed(all, stream, scope) };
  const isClientSide = componentOf(stream, 'incremental_sync')?.is_client_side_incremental === true;
  const isLate = (selector?.transform_before_filtering ?? isClientSide) === true;
  const records = isLate
    ? filtered(transformed(all, stream, scope), filter, scope)
    : transformed(filtered(all, filter, scope), stream, scope);
  return { records, count: `$count(${all})` };
}
