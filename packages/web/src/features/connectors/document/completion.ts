import { connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { z } from 'zod';
import { type Positions, positionsIn } from './positions.ts';

/** A completion: the text that is inserted instead of `from` to `to`. */
export interface DocumentCompletions {
  from: number;
  to: number;
  items: readonly { label: string; text: string; detail: string }[];
}

type Schema = z.core.$ZodType;

/** Returns the schema below defaults and optional values. */
function inner(schema: Schema): Schema {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return inner(schema.def.innerType);
  return schema;
}

/** Returns the objects that a value may be: one, or those of a union. @param kind the value's own `kind`, if it has one */
function objectsOf(schema: Schema, kind: string | undefined): z.ZodObject[] {
  const known = inner(schema);
  if (known instanceof z.ZodObject) return [known];
  if (!(known instanceof z.ZodDiscriminatedUnion)) return [];
  const all = known.options.flatMap((option) => objectsOf(option, undefined));
  const chosen = all.filter(({ shape }) => {
    const literal = shape.kind;
    return literal instanceof z.ZodLiteral && kind !== undefined && literal.values.has(kind);
  });
  return chosen.length > 0 ? chosen : all;
}

/** Returns the schemas that a value at a path may have. */
function schemasAt(path: readonly string[], { places }: Positions): Schema[] {
  let found: Schema[] = [connectorDocumentSchema];
  for (const [depth, step] of path.entries()) {
    const kind = places.get([...path.slice(0, depth), 'kind'].join('.'))?.scalar;
    found = found.flatMap((schema) => {
      const known = inner(schema);
      if (known instanceof z.ZodArray) return [known.element];
      if (known instanceof z.ZodRecord) return [known.valueType];
      return objectsOf(known, kind).flatMap(({ shape }) => shape[step] ?? []);
    });
  }
  return found;
}

/** Members whose value is the name of a column of their entity. */
const COLUMN_MEMBERS = ['sortedBy', 'titleColumn', 'column', 'by', 'person', 'labels'];

/** Returns the values that a member may have, as JSON. */
function valuesOf(schema: Schema): string[] {
  const known = inner(schema);
  if (known instanceof z.ZodEnum) return known.options.map((value) => JSON.stringify(value));
  if (known instanceof z.ZodLiteral) return [...known.values].map((value) => JSON.stringify(value));
  if (known instanceof z.ZodBoolean) return ['true', 'false'];
  if (known instanceof z.ZodDiscriminatedUnion) return [];
  return [];
}

/** Returns how the value of a member begins. */
function beginningOf(schema: Schema): string {
  const known = inner(schema);
  if (known instanceof z.ZodArray) return '[]';
  if (known instanceof z.ZodRecord || objectsOf(known, undefined).length > 0) return '{}';
  if (known instanceof z.ZodString) return '""';
  return '';
}

const childrenOf = ({ places }: Positions, path: readonly string[]): string[] => {
  const prefix = [...path, ''].join('.');
  return [...places.keys()]
    .filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('.'))
    .map((key) => key.slice(prefix.length));
};

function columnsAround(path: readonly string[], positions: Positions): string[] {
  if (path[0] !== 'entities' || path[1] === undefined) return [];
  return childrenOf(positions, ['entities', path[1], 'columns']);
}

/** Returns the names of members or the values that fit at a position of a document; undefined if nothing is known. */
export function documentCompletions(text: string, at: number): DocumentCompletions | undefined {
  const positions = positionsIn(text, at);
  const frame = positions.frames.at(-1);
  if (!frame) return undefined;
  const { from, to } = positions.word ?? { from: at, to: at };
  const isName = frame.isObject && frame.key === undefined;
  if (isName) {
    const kind = positions.places.get([...frame.path, 'kind'].join('.'))?.scalar;
    const taken = new Set(childrenOf(positions, frame.path));
    const own = positions.word?.text.replaceAll('"', '');
    const members = new Map(
      schemasAt(frame.path, positions)
        .flatMap((schema) => objectsOf(schema, kind))
        .flatMap(({ shape }) => Object.entries<Schema>(shape)),
    );
    const hasColon = /^\s*:/.test(text.slice(to));
    return {
      from,
      to,
      items: [...members]
        .filter(([name]) => name === own || !taken.has(name))
        .map(([name, schema]) => ({
          label: name,
          text: hasColon ? JSON.stringify(name) : `${JSON.stringify(name)}: ${beginningOf(schema)}`,
          detail: schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? '' : 'required',
        })),
    };
  }
  const step = frame.isObject ? (frame.key ?? '') : String(frame.index);
  const values = schemasAt([...frame.path, step], positions).flatMap(valuesOf);
  const columns = COLUMN_MEMBERS.includes(step)
    ? columnsAround(frame.path, positions).map((name) => JSON.stringify(name))
    : [];
  return {
    from,
    to,
    items: [...new Set([...values, ...columns])].map((value) => ({
      label: value.replaceAll('"', ''),
      text: value,
      detail: columns.includes(value) ? 'column' : '',
    })),
  };
}
