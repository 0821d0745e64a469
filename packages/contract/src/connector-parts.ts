import { z } from 'zod';

/** Bounds of a connector document. `expression` and `text` in UTF-16 units, `pageSize` in records. */
export const DOCUMENT_LIMITS = {
  entities: 20,
  columns: 100,
  fields: 12,
  templates: 30,
  rules: 30,
  expression: 4000,
  text: 2000,
  parameters: 50,
  pageSize: 100_000,
} as const;

const { expression, text, parameters } = DOCUMENT_LIMITS;
export const keySchema = z
  .string()
  .max(31)
  .regex(/^[a-z][a-z0-9-]{1,30}$/);
export const columnNameSchema = z
  .string()
  .max(41)
  .regex(/^[a-z][a-z0-9_]{0,40}$/);
export const fieldNameSchema = z
  .string()
  .max(31)
  .regex(/^[a-z][a-zA-Z0-9]{0,30}$/);
/** Path of a field of a record: `author.name`. */
export const documentFieldSchema = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,60}(?:\.[A-Za-z0-9_-]{1,60}){0,5}$/);
export const titleSchema = z.string().trim().min(1).max(80);
/** Name of a query parameter, or a header in small letters. */
export const parameterNameSchema = z.string().min(1).max(100);
/** Headers that belong to the connection or to the product. */
export const RESERVED_HEADERS =
  /^(?:host|cookie|content-length|connection|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;
export const headerNameSchema = z
  .string()
  .max(100)
  .regex(/^[a-z0-9_-]+$/)
  .refine(
    (name) => name !== 'authorization' && !RESERVED_HEADERS.test(name),
    'The product sets this header itself',
  );

/**
 * An expression of JSONata. Its variables are fields of its input: `config` (values of the connect form, without secrets),
 * `settings`, `cursor` (ISO instant or number from which a run reads; absent in one that reads all), `now` (ISO instant),
 * `parent` (record of the parent), and where an answer was read `response`, `headers` and `record`.
 */
export const expressionSchema = z.string().trim().min(1).max(expression);
export const parametersSchema = z
  .record(parameterNameSchema, expressionSchema)
  .refine((given) => Object.keys(given).length <= parameters)
  .default({});
/** Text with holes that hold expressions, each encoded as one part of a path: `/projects/{settings.project}/issues`. */
export const pathSchema = z.string().max(text).startsWith('/');
