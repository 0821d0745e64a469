import { checkConnectValues } from '@datadeck/contract';
import type {
  ConnectorDocument,
  DocumentEntity,
  DocumentField,
  DocumentRequest,
} from '@datadeck/contract/connector-document';
import { JsonataError, mentions, parse } from '@datadeck/jsonata';
import { documentAuthorization } from '../authorization.ts';
import { type DocumentProblem, documentProblems } from '../document-problems.ts';
import { EntityMapper } from '../entity-mapper.ts';
import { compileBounded } from '../expression.ts';
import { IdentityMapper } from '../identity-mapper.ts';
import { pathExpressions } from '../path-holes.ts';
import { patternProblem } from './pattern-check.ts';

type Report = (path: string, message: string) => void;

const isSentence = (text: string) => /[.!?]$/.test(text);

/** Returns the engine's message with the place in the expression. It may quote values: hide secrets, then cut it. */
export function messageOfError(error: unknown): string {
  if (!(error instanceof Error)) return 'The expression cannot be used.';
  const at =
    error instanceof JsonataError && error.position !== undefined ? ` (character ${error.position})` : '';
  const message = error.message.replace(/\s+/g, ' ');
  return isSentence(message) && at === '' ? message : `${message.replace(/\.$/, '')}${at}.`;
}

function checkExpression(path: string, expression: string | undefined, report: Report): void {
  if (expression === undefined) return;
  try {
    compileBounded(expression);
  } catch (error) {
    report(path, messageOfError(error));
  }
}

/** Checks an expression that is evaluated for each record. */
function checkRowExpression(path: string, expression: string, report: Report): void {
  checkExpression(path, expression, (at, message) => report(at, message));
  try {
    if (mentions(parse(expression), '$'))
      report(path, 'Write the name of a variable, such as record, instead of $$.');
  } catch {
    // Reported above.
  }
}

function checkRequest(
  path: string,
  { path: address, query, headers, body }: DocumentRequest,
  report: Report,
): void {
  try {
    for (const hole of pathExpressions(address)) checkExpression(`${path}.path`, hole, report);
  } catch {
    report(`${path}.path`, 'A bracket { of the path is not closed.');
  }
  for (const [name, expression] of Object.entries(query))
    checkExpression(`${path}.query.${name}`, expression, report);
  for (const [name, expression] of Object.entries(headers))
    checkExpression(`${path}.headers.${name}`, expression, report);
  checkExpression(`${path}.body`, body, report);
}

function checkEntity(entity: DocumentEntity, path: string, report: Report): void {
  const { request, records, total, pagination, incremental, add, key, date, columns } = entity;
  checkExpression(`${path}.parts`, entity.parts, report);
  checkRequest(`${path}.request`, request, report);
  checkExpression(`${path}.records`, records, report);
  checkExpression(`${path}.total`, total, report);
  if ('next' in pagination) checkExpression(`${path}.pagination.next`, pagination.next, report);
  if ('count' in pagination) checkExpression(`${path}.pagination.count`, pagination.count, report);
  checkExpression(`${path}.incremental.parameter.value`, incremental?.parameter?.value, report);
  for (const [name, expression] of Object.entries(add))
    checkRowExpression(`${path}.add.${name}`, expression, report);
  checkRowExpression(`${path}.key`, key, report);
  checkRowExpression(`${path}.date`, date, report);
  for (const [name, { value }] of Object.entries(columns))
    checkRowExpression(`${path}.columns.${name}.value`, value, report);
}

function checkPatterns(fields: readonly DocumentField[], path: string, report: Report): void {
  for (const [index, { pattern }] of fields.entries()) {
    const problem = patternProblem(pattern);
    if (problem !== undefined) report(`${path}.${index}.pattern`, problem);
  }
}

/** Checks that fields of the form take their own defaults. Their patterns are known to be linear. */
function checkDefaults(document: ConnectorDocument, report: Report): void {
  const fields = documentAuthorization(document).form.fields.filter(
    ({ defaultValue }) => defaultValue !== '',
  );
  const given = Object.fromEntries(fields.map(({ name, defaultValue }) => [name, defaultValue]));
  for (const name of Object.keys(checkConnectValues(fields, given).errors)) {
    const index = document.connect.fields.findIndex((field) => field.name === name);
    const path = index < 0 ? 'connect.secret' : `connect.fields.${index}`;
    report(
      `${path}.defaultValue`,
      'The field does not accept its own default value. Change it or the pattern.',
    );
  }
}

/** Compiles what the interpreter makes of all expressions together, which may reach a limit that each alone keeps. */
function checkWhole(document: ConnectorDocument, report: Report): void {
  for (const [index, entity] of document.entities.entries())
    try {
      new EntityMapper(document, entity);
    } catch (error) {
      report(`entities.${index}`, messageOfError(error));
    }
  try {
    if (document.identity) new IdentityMapper(document);
  } catch (error) {
    report('identity', messageOfError(error));
  }
}

/** Returns all faults of a document; see `checkDocument`. Runs in the builder's thread. */
export function checkedProblems(document: ConnectorDocument): DocumentProblem[] {
  const problems = documentProblems(document);
  const report: Report = (path, message) => {
    if (problems.every((problem) => problem.path !== path)) problems.push({ path, message });
  };
  const { connect, identity, failed, entities } = document;
  checkExpression('failed', failed, report);
  if (identity) {
    checkRequest('identity.request', identity.request, report);
    checkExpression('identity.subject', identity.subject, report);
    checkExpression('identity.account', identity.account, report);
  }
  checkPatterns(connect.fields, 'connect.fields', report);
  const secretProblem = connect.secret && patternProblem(connect.secret.pattern);
  if (secretProblem !== undefined) report('connect.secret.pattern', secretProblem);
  for (const [index, entity] of entities.entries()) {
    checkPatterns(entity.settings, `entities.${index}.settings`, report);
    checkEntity(entity, `entities.${index}`, report);
  }
  if (problems.some(({ path }) => path.endsWith('.pattern'))) return problems;
  checkDefaults(document, report);
  if (problems.length === 0) checkWhole(document, report);
  return problems;
}
