import { expect, it } from 'vitest';
import { documentWith } from '../../test-support/declarative/things.ts';
import { formOf } from './entity-form.ts';

/** Entities as documents had them before requests and paginations got more fields, with the forms that cursors are stored with. */
const FORMS: [pagination: object, form: string][] = [
  [{ kind: 'none' }, 'AIrAV0M3WBxoOc91'],
  [{ kind: 'page', parameter: 'page', size: 10, sizeParameter: 'size' }, '2ckeYUoGOGpHZCHH'],
  [{ kind: 'offset', parameter: 'offset', size: 10 }, 'odCCt5_c73kNisKH'],
  [{ kind: 'cursor', in: 'body', parameter: 'page.after', next: 'response.next' }, '6WdF5SPGPjKorK2s'],
  [{ kind: 'link' }, 'AMNOQMAbMG7Pldz3'],
  [{ kind: 'address', next: 'response.next' }, 'Ae9CoPDcjWUxtXcS'],
];

it.each(FORMS)('keeps the cursors of entities with the pagination %j', (pagination, form) => {
  const request = { path: '/items', query: { a: '1' }, body: '{"b": 2}' };
  const [entity] = documentWith({ request, pagination }).entities;
  expect(entity && formOf(entity)).toBe(form);
});
