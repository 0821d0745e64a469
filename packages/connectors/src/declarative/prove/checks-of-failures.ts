import type { DocumentEntity } from '@datadeck/contract/connector-document';
import type { FaultAnswer } from '../../sdk/conformance/faults.ts';
import { idsOf } from '../../sdk/conformance/reading.ts';
import { isEmptyAnswer } from '../../sdk/index.ts';
import { classifierOf } from '../classify.ts';
import { CONTENT_TYPES, writeAnswer } from '../written-answer.ts';
import { edited } from './answer-template.ts';
import type { Check } from './check.ts';
import type { EntityProof } from './entity-proof.ts';
import { failed, notApplicable, type Outcome, PASSED } from './outcome.ts';
import { nameOf, withValue } from './tree.ts';

const ALWAYS = { times: Number.POSITIVE_INFINITY };
const HTML = '<!doctype html><html><body><h1>Be right back</h1></body></html>';
const RULE = 'Correct the rule of “failures” that matches it.';

/** Returns the failure of a run whose requests all get an answer. */
async function failureAfter(proof: EntityProof, answer: FaultAnswer): Promise<string> {
  proof.reset();
  proof.server.faults.add(answer, ALWAYS);
  return proof.failure();
}

/** Checks that a run reads all records although some requests fail. */
async function isComplete(proof: EntityProof): Promise<boolean> {
  const { pages } = await proof.run();
  return new Set(idsOf(pages)).size === proof.ids.length;
}

async function checkExpiredToken(proof: EntityProof): Promise<Outcome> {
  const failure = await failureAfter(proof, { status: 401, body: '{"error":"invalid token"}' });
  if (failure === 'reauthorise') return PASSED;
  return failed(
    `Access that has expired (status 401) is taken for something else (${failure}), so nobody is asked to connect again. ${RULE}`,
  );
}

async function checkForbidden(proof: EntityProof): Promise<Outcome> {
  const refusal = { status: 403, body: '{"error":"forbidden"}' };
  const failure = await failureAfter(proof, refusal);
  const classified = classifierOf(proof.document)({
    ...refusal,
    headers: new Headers(),
    now: Date.now(),
    entity: proof.entity.id,
  });
  if (failure === 'none' && isEmptyAnswer(classified))
    return notApplicable('A rule of “failures” says that a refusal (status 403) means no records.');
  if (['forbidden', 'not-found', 'reauthorise', 'rate-limited'].includes(failure)) return PASSED;
  return failed(`A refusal (status 403) is taken for something else (${failure}). ${RULE}`);
}

async function checkWaiting(proof: EntityProof): Promise<Outcome> {
  proof.server.faults.add({ status: 429, body: '{}', headers: { 'retry-after': '30' } }, { times: 2 });
  const failure = await proof.failure();
  if (failure !== 'none')
    return failed(`A request to wait (status 429) ended the run (${failure}) instead of pausing it. ${RULE}`);
  proof.reset();
  proof.server.faults.add({ status: 429, body: '{}', headers: { 'retry-after': '30' } }, { times: 2 });
  const { pages, client } = await proof.run();
  if (client.waitedMs < 30_000)
    return failed(`A request to wait (status 429) is taken for an outage. ${RULE}`);
  return idsOf(pages).length === proof.ids.length ? PASSED : failed('Records were missing after a pause.');
}

async function checkOutage(proof: EntityProof): Promise<Outcome> {
  const outages: [string, FaultAnswer][] = [
    ['status 500', { status: 500, body: '{"error":"oops"}' }],
    ['status 502', { status: 502, body: HTML, headers: { 'content-type': 'text/html' } }],
    ['a dropped connection', { status: 200, isReset: true }],
  ];
  for (const [name, answer] of outages) {
    proof.reset();
    proof.server.faults.add(answer);
    proof.server.faults.add(answer, { afterRequests: 1 });
    const failure = await proof.failure();
    if (failure !== 'none') return failed(`A short outage (${name}) ended the run (${failure}). ${RULE}`);
    proof.reset();
    proof.server.faults.add(answer);
    if (!(await isComplete(proof))) return failed(`Records were missing after a short outage (${name}).`);
  }
  const lasting = await failureAfter(proof, { status: 503, body: HTML });
  if (lasting === 'unavailable') return PASSED;
  return failed(`A lasting outage (status 503) is taken for something else (${lasting}). ${RULE}`);
}

async function checkFormat(proof: EntityProof): Promise<Outcome> {
  const { decode } = proof.entity.request;
  // No line is an empty list in formats of lines.
  const bodies = decode === 'ndjson' || decode === 'csv' ? [HTML] : [HTML, '', writeHalf(proof)];
  for (const body of bodies)
    if ((await failureAfter(proof, { status: 200, body })) === 'none')
      return failed(
        'An answer in another format, such as a page that says sorry, is taken for an empty list. Records would count as deleted.',
      );
  return PASSED;
}

function writeHalf({ entity, templates }: EntityProof): string {
  const whole = writeAnswer(entity.request.decode, templates.answer.answer.tree);
  return whole.slice(0, whole.length / 2);
}

/** Returns good answers of the format without a list, each with its headers. */
function answersWithoutList({ entity, templates }: EntityProof): FaultAnswer[] {
  const { decode } = entity.request;
  const { answer, list, next } = templates.answer;
  const { tree } = edited(answer, next?.last ?? []);
  const json = { 'content-type': 'application/json' };
  const message = { message: 'Down for maintenance' };
  if (decode === 'xml' || decode === 'feed')
    return [
      {
        status: 200,
        body: writeAnswer('xml', { maintenance: message }),
        headers: { 'content-type': CONTENT_TYPES.xml },
      },
    ];
  const bodies: unknown[] = [message];
  if (decode === 'json') bodies.push(withValue(tree, list, message));
  return bodies.map((body) => ({ status: 200, body: `${JSON.stringify(body)}\n`, headers: json }));
}

/** Returns the expression that calls an answer without the list a failure. */
function suggestedRule({ request }: DocumentEntity, { templates }: EntityProof): string {
  const { list } = templates.answer;
  if (request.decode !== 'json' || list.some((key) => typeof key === 'number')) return '';
  const path = [
    'response',
    ...list.map((key) => (/^[A-Za-z_]\w*$/.test(String(key)) ? key : `\`${key}\``)),
  ].join('.');
  return `, for example $not($type(${path}) = 'array')`;
}

async function checkMissingList(proof: EntityProof): Promise<Outcome> {
  for (const answer of answersWithoutList(proof)) {
    if ((await failureAfter(proof, answer)) !== 'none') continue;
    const { list } = proof.templates.answer;
    const name = nameOf(list);
    const hint = proof.document.identity ? ' It must let the answer about the account pass.' : '';
    return failed(
      `A good answer (status 200) without ${name === '' ? 'its list' : `the list ${name}`}, such as {"message": "Down for maintenance"}, is taken for an empty list, so all records would count as deleted. Let “failed” yield something then${suggestedRule(proof.entity, proof)}.${hint}`,
    );
  }
  return PASSED;
}

/** Returns odd forms of a record. */
function odditiesOf(proof: EntityProof): [name: string, element: unknown][] {
  const { keys, dates, others } = proof.templates.records.places;
  const set = (places: readonly (readonly (string | number)[])[], valueFor: () => unknown) =>
    places.reduce<unknown>((element, place) => withValue(element, place, valueFor()), proof.nextElement());
  return [
    ['without a key', set(keys, () => undefined)],
    ['without a date', set(dates, () => undefined)],
    ['with dates that are none', set(dates, () => 'soon')],
    ['with empty fields', set(others, () => null)],
    ['without most fields', set(others, () => undefined)],
    ['with a very long text', set(others, () => 'long '.repeat(10_000))],
    ['with more fields', withValue(proof.nextElement(), ['datadeck_extra'], 'more')],
  ];
}

async function checkOddities(proof: EntityProof): Promise<Outcome> {
  for (const [name, element] of odditiesOf(proof)) {
    proof.reset();
    const odd = await proof.insert(element);
    let ids: string[] = [];
    try {
      ids = idsOf((await proof.run()).pages);
    } catch (error) {
      return failed(
        `One record ${name} ends the whole run: ${error instanceof Error ? error.message : 'unknown'} Ask for a value before you compute with it: record.x ? $toMillis(record.x).`,
      );
    }
    const expected = odd === undefined ? proof.ids : [...proof.ids, odd];
    const missing = expected.filter((id) => !ids.includes(id)).length;
    if (missing > 0)
      return failed(
        `One record ${name} cost ${missing} records. Check the expressions of records, key and columns.`,
      );
  }
  return PASSED;
}

async function checkSecret(proof: EntityProof): Promise<Outcome> {
  if (proof.document.authentication.kind === 'none') return notApplicable('There is no secret.');
  await proof.failure();
  if (proof.server.withoutSecret > 0 || proof.server.requests === 0)
    return failed('The secret was not sent with each request. Correct how requests prove who asks.');
  for (const status of [200, 400, 401, 403, 404, 410, 500]) {
    const body = JSON.stringify({ error: `The token ${proof.secret} is wrong` });
    const failure = await failureAfter(proof, { status, body });
    if (failure.includes('secret') || failure.includes(proof.secret))
      return failed(`The message of a failure (status ${status}) shows the secret.`);
  }
  return PASSED;
}

/** Checks of what proves who asks. */
export const SECRET_CHECKS: readonly Check[] = [
  {
    title: 'The secret is sent, and is in no message',
    path: '/authentication',
    isBasic: true,
    run: checkSecret,
  },
];

/** Checks of failures of the service. */
export const FAILURE_CHECKS: readonly Check[] = [
  { title: 'Expired access asks to connect again', path: '/failures', run: checkExpiredToken },
  { title: 'A refusal is not taken for another failure', path: '/failures', run: checkForbidden },
  { title: 'A run waits when the service asks for it', path: '/failures', run: checkWaiting },
  { title: 'A run continues after a short outage', path: '/failures', run: checkOutage },
];

/** Checks of answers that are not as they should be. */
export const ANSWER_CHECKS: readonly Check[] = [
  { title: 'An answer in another format is a failure', path: '/failed', run: checkFormat },
  { title: 'An answer without its list is a failure', path: '/failed', run: checkMissingList },
  { title: 'An odd record costs no other one', path: 'columns', run: checkOddities },
];
