import { type Answer, documentWith, item } from './things.ts';

/** Ways in which a service pages through `/items`. */
export const PAGINATIONS = [
  { kind: 'page', parameter: 'page', size: 2 },
  { kind: 'offset', parameter: 'offset', size: 2 },
  { kind: 'cursor', in: 'query', parameter: 'page', next: 'response.next' },
  { kind: 'link' },
  { kind: 'address', next: '"/items?page=" & response.next' },
];

/** Parts of a document for which an answer whose `error` is `nothing here`, also of status 200, is a failure that means no records. */
export const NOTHING_HERE = {
  failures: [{ contains: 'nothing here', means: 'no-records' }],
  failed: 'response.error',
};

/** Answers pages of two records each; from one page on with a failure that means no records. */
export const failsFrom =
  (page: number, status: number): Answer =>
  ({ searchParams }, _, response) => {
    const at = Number(searchParams.get('offset') ?? 0) / 2 + Number(searchParams.get('page') ?? 1);
    if (at >= page) {
      response.statusCode = status;
      return { error: 'nothing here' };
    }
    response.setHeader('link', `</items?page=${at + 1}>; rel="next"`);
    return { items: [item(9 - 2 * at), item(8 - 2 * at)], next: at + 1 };
  };

const [entity] = documentWith().entities;
const templates = [{ kind: 'records', key: 'things-lists', title: 'All', description: 'All.' }];
/** An entity `things-lists`, whose records are at `/lists`. */
export const LISTS = { ...entity, id: 'things-lists', request: { path: '/lists' }, templates };
/** An entity whose records are at `/lists/{id}` for each record of `LISTS`. */
export const OF_LISTS = { ...entity, parent: 'things-lists', request: { path: '/lists/{parent.id}' } };
