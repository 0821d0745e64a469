import { isDeepStrictEqual } from 'node:util';
import { declarativeConnector } from '../../src/declarative/index.ts';
import type { ConformanceSubject } from '../conformance/index.ts';
import { documentOf, itemsIdOf } from './generate.ts';
import { startService } from './service.ts';
import { AXES, type Axis, type ServiceShape, TOKEN_KINDS } from './shape.ts';
import { fewShapes, generateShapes, tokenShapes } from './shapes.ts';
import { CLIENT, isTokenKind } from './token-issuer.ts';

/** Quota of the metered subjects; reading all items of a service takes about a third of it. */
const METERED_UNITS = 20;

const nameOf = (shape: ServiceShape) =>
  (Object.keys(AXES) as Axis[]).map((axis) => `${axis} ${shape[axis]}`).join(', ');

/** Returns the tests that do not apply to the document of a shape, with the reasons. */
function exemptionsOf({
  authentication,
  order,
  parents,
  pagination,
}: ServiceShape): ConformanceSubject['exempt'] {
  const isSorted = order !== 'unsorted' && parents === 'none';
  return {
    ...(!isTokenKind(authentication) && {
      'token-renewal': 'a token that a person entered cannot be renewed',
    }),
    ...(!isSorted && { 'single-record': 'lists in no order are read whole' }),
    ...((parents !== 'none' || pagination === 'none') && {
      'several-pages': 'the changes are sorted, or one answer',
    }),
    ...(parents !== 'none' && {
      'exact-estimates': 'counting the records of all lists takes too many requests',
    }),
  };
}

/** Returns the conformance subject of a shape. */
export function subjectOf(shape: ServiceShape, index: number): ConformanceSubject {
  const start = (unitsPerMinute?: number) =>
    startService(
      shape,
      (baseUrl) =>
        declarativeConnector(documentOf(shape, index, new URL(baseUrl).origin), {
          baseUrl,
          hosts: ['127.0.0.1'],
          client: async () => CLIENT,
          unitsPerMinute: unitsPerMinute ?? Number.POSITIVE_INFINITY,
        }),
      unitsPerMinute,
    );
  const { incremental, format } = shape;
  return {
    name: `${index}: ${nameOf(shape)}`,
    entity: itemsIdOf(index),
    settings: { project: 'work' },
    isIncremental: incremental !== 'none',
    ...(incremental !== 'none' && {
      sinceTimeOf: ({ columns, occurredAt }) =>
        Number(incremental === 'since-number' ? occurredAt : columns.updated),
    }),
    start: () => start(),
    // Takes three seconds each.
    ...(index % 8 === 0 && { startMetered: () => start(METERED_UNITS) }),
    survives: ['http-500', 'html-error-body', 'html-instead-of-json', 'connection-reset'],
    waitsFor: ['rate-limit'],
    endsIn: { 'http-500': 'unavailable', 'not-found': 'not-found' },
    exempt: exemptionsOf(shape) ?? {},
    oddities: [
      'no title',
      'a long title',
      'odd dates',
      ...(format === 'json' || format === 'ndjson' ? ['half a pair'] : []),
    ],
  };
}

/** Returns the conformance subjects of the documents of 40 services that have each pair of choices, and of 8 that issue tokens. */
export function documentSubjects(): ConformanceSubject[] {
  return [...generateShapes(), ...tokenShapes()].map(subjectOf);
}

/** Returns those of 8 services that have each choice, and of one for each kind of token. */
export function fewDocumentSubjects(): ConformanceSubject[] {
  const few = [...fewShapes(), ...tokenShapes().slice(0, TOKEN_KINDS.length)];
  return [...generateShapes(), ...tokenShapes()].flatMap((shape, index) =>
    few.some((one) => isDeepStrictEqual(one, shape)) ? [subjectOf(shape, index)] : [],
  );
}
