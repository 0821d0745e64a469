import { type Component, componentOf, textOf } from './component.ts';
import { call, stepOf } from './jinja/code.ts';
import { withHelpers } from './jinja/python-functions.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { requireTranslatable } from './refused-members.ts';
import { transformed } from './transform-records.ts';
import { scopeAt, type TemplateScope, variablesOf } from './variables.ts';

/** Returns the path of the records in an answer. */
function extracted(extractor: Component | undefined, outer: TemplateScope, answer: string): string {
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
  }, answer);
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

/** Translates where the records of an answer are, which of them are meant, and how they are changed. @param answer expression of the answer @throws UntranslatableError */
export function importRecords(stream: Component, scope: TemplateScope, answer = 'response'): ImportedRecords {
  const selector = componentOf(componentOf(stream, 'retriever'), 'record_selector');
  const all = extracted(componentOf(selector, 'extractor'), scope, answer);
  const filter = componentOf(selector, 'record_filter');
  if (!filter) return { records: withHelpers(transformed(all, stream, scope)) };
  const isClientSide = componentOf(stream, 'incremental_sync')?.is_client_side_incremental === true;
  const isLate = (selector?.transform_before_filtering ?? isClientSide) === true;
  const records = isLate
    ? filtered(transformed(all, stream, scope), filter, scope)
    : transformed(filtered(all, filter, scope), stream, scope);
  return { records: withHelpers(records), count: withHelpers(`$count(${all})`) };
}
