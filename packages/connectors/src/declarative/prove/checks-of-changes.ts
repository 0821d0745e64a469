import { isDeepStrictEqual } from 'node:util';
import { idsOf, type Run } from '../../sdk/conformance/reading.ts';
import { type Check, records } from './check.ts';
import type { EntityProof } from './entity-proof.ts';
import { failed, notApplicable, type Outcome, PASSED } from './outcome.ts';

const NOT_INCREMENTAL = notApplicable('Without “incremental”, every run reads all records.');

const recordsOf = ({ pages }: Run) => pages.flatMap((page) => page.records);

/** Returns how many records of a run differ from those that an earlier one stored. */
function countChanged(before: Run, after: Run): number {
  const stored = new Map(recordsOf(before).map(({ id, columns }) => [id, columns]));
  return recordsOf(after).filter(({ id, columns }) => !isDeepStrictEqual(stored.get(id), columns)).length;
}

async function checkNothingChanged(proof: EntityProof): Promise<Outcome> {
  if (!proof.entity.incremental) return NOT_INCREMENTAL;
  const first = await proof.run();
  const { cursor } = first.completion;
  if (cursor === null)
    return failed('The first run does not note where the next one begins. Check the column that grows.');
  const second = await proof.run({ cursor });
  const changed = countChanged(first, second);
  if (changed > 0)
    return failed(
      `Nothing changed, but ${records(changed)} came as changed. A column depends on something else than the record.`,
      'columns',
    );
  if (second.client.requests > first.client.requests)
    return failed(
      'A run without changes sends more requests than the first one. Check the parameter that asks for changes.',
    );
  return PASSED;
}

async function checkChanges(proof: EntityProof): Promise<Outcome> {
  if (!proof.entity.incremental) return NOT_INCREMENTAL;
  const first = await proof.run();
  const { cursor } = first.completion;
  const inserted = await proof.insert();
  const [list] = proof.lists;
  const [item] = list?.items ?? [];
  const updated =
    list && item && proof.templates.records.canChange ? await proof.update(list, item) : undefined;
  const second = await proof.run({ cursor });
  const ids = idsOf(second.pages);
  const { column, parameter } = proof.entity.incremental;
  const advice = parameter
    ? `Check that the parameter “${parameter.name}” asks for what changed since the cursor, and that the column ${column} grows with each change.`
    : `Check that the column ${column} grows with each change.`;
  if (inserted !== undefined && !ids.includes(inserted))
    return failed(`A new record was not found by the next run. ${advice}`);
  if (updated !== undefined && !ids.includes(updated))
    return failed(`A record that changed was not found by the next run. ${advice}`);
  return PASSED;
}

async function checkExpiredCursor(proof: EntityProof): Promise<Outcome> {
  const rule = proof.document.failures.find(({ means }) => means === 'cursor-expired');
  if (!rule)
    return notApplicable(
      'The document does not say how the service refuses a cursor that is too old. If it does so, add a rule to “failures” that means cursor-expired.',
    );
  const { completion } = await proof.run();
  const { status = 400, contains = '' } = rule;
  proof.server.faults.add(
    { status, body: `{"error":${JSON.stringify(contains)}}` },
    { times: Number.POSITIVE_INFINITY },
  );
  const failure = await proof.failure({ cursor: completion.cursor });
  if (failure === 'cursor-expired') return PASSED;
  return failed(
    `When the service refused a cursor that is too old, the run did not start again from the beginning (${failure}). An earlier rule of “failures” matches the same answer.`,
  );
}

/** Checks of incremental runs. */
export const CHANGE_CHECKS: readonly Check[] = [
  { title: 'A run without changes changes nothing', path: 'incremental', run: checkNothingChanged },
  { title: 'The next run finds a new and a changed record', path: 'incremental', run: checkChanges },
  { title: 'After an expired cursor, all is read again', path: '/failures', run: checkExpiredCursor },
];
