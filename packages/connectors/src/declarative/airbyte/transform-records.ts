import { type Component, componentOf, componentsOf, isComponent, textOf } from './component.ts';
import { call, stepOf } from './jinja/code.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { isSet, requireTranslatable } from './refused-members.ts';
import { scopeAt, type TemplateScope, variablesOf } from './variables.ts';

/** Translates a transformation: returns the expression of the records after it. */
type Transformation = (records: string, transformation: Component, scope: TemplateScope) => string;

const RECORD = call('$r', 'any');
const each = (records: string, changed: string) => `$map(${records}, function($r){ ${changed} })`;
const namesOf = (path: unknown) => (Array.isArray(path) ? path : [path]).map(String);

const removeFields: Transformation = (records, transformation, outer) => {
  const { field_pointers: fields } = transformation;
  const pointers = Array.isArray(fields) ? fields : [];
  const condition = textOf(transformation, 'condition');
  if (condition !== '') {
    const scope = scopeAt(transformation, outer);
    const roots = { property: call('$p', 'any') };
    const { truth } = translateTemplate(condition, variablesOf({ ...scope, slice: new Map(), roots }));
    // `dpath.delete` removes all values that meet a condition, at any pointer.
    return pointers.reduce<string>(
      (before) => each(before, `$pruned($r, function($p){ ${truth} })`),
      records,
    );
  }
  return pointers.reduce<string>((before, pointer) => {
    const path = namesOf(pointer);
    const last = path.at(-1);
    if (last === undefined || path.some((part) => part.includes('*')))
      throw new UntranslatableError('a pattern of fields to remove');
    const owner = path.length === 1 ? '$' : path.slice(0, -1).map(stepOf).join('.');
    return `(${before} ~> |${owner}|{}, ${JSON.stringify([last])}|)`;
  }, records);
};

/** Returns an object with a value at a path; an object that is there already keeps its other members. */
function withValueAt(owner: string, [name = '', ...rest]: readonly string[], value: string): string {
  if (rest.length === 0) return `$merge([${owner}, {${JSON.stringify(name)}: ${value}}])`;
  const inner = withValueAt(`$owner(${owner}.${stepOf(name)})`, rest, value);
  return `$merge([${owner}, {${JSON.stringify(name)}: ${inner}}])`;
}

/** Returns the value of an added field. @throws UntranslatableError for a type that JSON does not keep */
function addedValue(field: Component, variables: Parameters<typeof translateTemplate>[1]): string {
  const template = typeof field.value === 'string' ? field.value : JSON.stringify(field.value ?? null);
  const { text, value } = translateTemplate(template, variables);
  switch (field.value_type) {
    case 'string':
      return text;
    case 'integer':
    case 'boolean':
      return `$typed(${text}, "${field.value_type}")`;
    default:
      if (isSet(field.value_type)) throw new UntranslatableError('an added field of a type of its own');
      return value;
  }
}

const addFields: Transformation = (records, transformation, outer) => {
  const scope = scopeAt(transformation, outer);
  const roots = { ...scope.roots, record: RECORD };
  const variables = variablesOf({ ...scope, roots });
  const condition = textOf(transformation, 'condition');
  return componentsOf(transformation, 'fields').reduce<string>((before, field) => {
    const path = Array.isArray(field.path) ? field.path.map(String) : [];
    if (path.length === 0 || path.slice(1).some((name) => /^\d+$/.test(name)))
      throw new UntranslatableError('an added field in a list');
    const value = addedValue(field, variables);
    if (condition === '') return each(before, withValueAt('$r', path, value));
    const known = variablesOf({ ...scope, roots: { ...roots, value: call('$value', 'any') } });
    const { truth } = translateTemplate(condition, known);
    return each(before, `($value := ${value}; ${truth} ? ${withValueAt('$r', path, '$value')} : $r)`);
  }, records);
};

/** Returns the text of a template that reads no record. */
function textOutside(template: string, transformation: Component, outer: TemplateScope): string {
  const { text } = translateTemplate(
    template,
    variablesOf({ ...scopeAt(transformation, outer), slice: new Map() }),
  );
  return text;
}

const replaceKeys: Transformation = (records, transformation, scope) => {
  const [from, to] = [textOf(transformation, 'old'), textOf(transformation, 'new')];
  if (from === '') throw new UntranslatableError('an empty text that is replaced');
  const [old, other] = [from, to].map((template) => textOutside(template, transformation, scope));
  // In a pattern of `$replace` a dollar sign has a meaning.
  const replaced = `$join($split($k, ${old}), ${other})`;
  return each(records, `$deepKeys($r, function($k){ ${replaced} })`);
};

const flattenAt: Transformation = (records, transformation, scope) => {
  const path = namesOf(transformation.field_path).map((part) => {
    const { constant } = translateTemplate(part, variablesOf(scopeAt(transformation, scope)));
    if (constant === undefined || constant === '' || /[*?[\]]|^\d+$/.test(constant))
      throw new UntranslatableError('a pattern of fields that are flattened');
    return constant;
  });
  const last = JSON.stringify([path.at(-1)]);
  const owner = path.length === 1 ? '$' : path.slice(0, -1).map(stepOf).join('.');
  const found = path.reduce((before, name) => `$at(${before}, ${JSON.stringify(name)})`, '$r');
  const keys = componentOf(transformation, 'key_transformation');
  const [before, after] = ['prefix', 'suffix'].map((name) => {
    const template = textOf(keys, name);
    return template === '' ? '' : textOutside(template, transformation, scope);
  });
  const key = [before, '$k', after].filter((part) => part !== '').join(' & ');
  const named = key === '$k' ? '$x' : `$keyed($x, function($k){ ${key} })`;
  const origin = transformation.delete_origin_value === true ? `$r ~> |${owner}|{}, ${last}|` : '$r';
  const merged = `$count($keys($n)[$ in $keys($r)]) = 0 ? $merge([${origin}, $n]) : $r`;
  const changed = transformation.replace_record === true ? `$n != {} ? $n : ${merged}` : merged;
  return each(records, `($x := ${found}; $type($x) = "object" ? ($n := ${named}; ${changed}) : $r)`);
};

const TRANSFORMATIONS: Readonly<Record<string, Transformation>> = {
  AddFields: addFields,
  RemoveFields: removeFields,
  KeysToLower: (records) => each(records, '$keyed($r, function($k){ $lowercase($k) })'),
  KeysToSnakeCase: (records) => each(records, '$deepKeys($r, function($k){ $snakeCase($k) })'),
  KeysReplace: replaceKeys,
  DpathFlattenFields: flattenAt,
};

/** Translates the transformations of a stream. @throws UntranslatableError */
export function transformed(records: string, stream: Component, scope: TemplateScope): string {
  const { transformations } = stream;
  return (Array.isArray(transformations) ? transformations.filter(isComponent) : []).reduce((before, one) => {
    requireTranslatable(one);
    const type = String(one.type);
    const known = Object.hasOwn(TRANSFORMATIONS, type) ? TRANSFORMATIONS[type] : undefined;
    if (!known) throw new UntranslatableError(`the transformation ${type}`);
    return known(before, one, scope);
  }, records);
}
