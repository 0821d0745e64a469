import { isDeepStrictEqual } from 'node:util';
import { idsOf } from '../../sdk/conformance/reading.ts';
import { ProviderError } from '../../sdk/index.ts';
import { type Check, records } from './check.ts';
import type { EntityProof } from './entity-proof.ts';
import { failed, notApplicable, type Outcome, PASSED } from './outcome.ts';

/** More requests than a run of any stand-in needs. */
const MANY_REQUESTS = 60;

const without = (ids: readonly string[], others: readonly string[]) =>
  ids.filter((id) => !others.includes(id));

/** Returns what a run lacks or has twice, as a sentence; undefined if it has each record once. */
function differenceOf(expected: readonly string[], actual: readonly string[]): string | undefined {
  const missing = without(expected, actual).length;
  const repeated = actual.length - new Set(actual).size;
  const foreign = without(actual, expected).length;
  if (missing > 0) return `Of ${records(expected.length)} on several pages, ${missing} were not read.`;
  if (repeated > 0) return `${records(repeated)} came twice.`;
  return foreign > 0 ? `${records(foreign)} came that the service does not list.` : undefined;
}

async function checkEnd(proof: EntityProof): Promise<Outcome> {
  const { pagination } = proof.entity;
  let error: unknown;
  try {
    await proof.run();
  } catch (thrown) {
    error = thrown;
  }
  if (error !== undefined && !(error instanceof ProviderError && error.failure === 'malformed')) throw error;
  const isEndless = proof.server.requests > MANY_REQUESTS || error !== undefined;
  if (!isEndless) return PASSED;
  if (proof.server.requests === 1 && error instanceof ProviderError && !/same page/.test(error.message))
    throw error;
  const advice =
    'next' in pagination
      ? 'Correct “next”: it must yield nothing on the last page, and another value on each other one.'
      : 'Check how the next page is asked for.';
  return failed(`Reading did not end after the last page. ${advice}`);
}

async function checkAll(proof: EntityProof): Promise<Outcome> {
  const { pages, completion } = await proof.run();
  const difference = differenceOf(proof.ids, idsOf(pages));
  if (difference === undefined && !completion.truncated) return PASSED;
  return failed(
    `${difference ?? 'The run says that there are more records.'} Check how the next page is asked for, and the number of all records.`,
  );
}

async function checkLimits(proof: EntityProof): Promise<Outcome> {
  for (const limit of [0, 1]) {
    const { pages, completion } = await proof.run({ limit });
    const { length } = idsOf(pages);
    if (length !== limit || !completion.truncated)
      return failed(`With a limit of ${limit}, ${records(length)} were read. Check the order of the list.`);
  }
  return PASSED;
}

async function checkResume(proof: EntityProof): Promise<Outcome> {
  const { pages, completion } = await proof.run();
  for (const [index, { checkpoint }] of pages.entries()) {
    const rest = await proof.run({ checkpoint });
    const all = [...idsOf(pages.slice(0, index + 1)), ...idsOf(rest.pages)];
    const difference = differenceOf(proof.ids, all);
    if (difference !== undefined || !isDeepStrictEqual(rest.completion, completion))
      return failed(
        `A run that was interrupted after page ${index + 1} did not continue there. ${difference ?? 'It ended at another place.'} Check how the next page is asked for.`,
      );
  }
  return PASSED;
}

async function checkListing(proof: EntityProof): Promise<Outcome> {
  const listed = new Set<string>();
  for await (const ids of proof.reader.entity.listIds(proof.request())) for (const id of ids) listed.add(id);
  const missing = without(proof.ids, [...listed]).length;
  if (missing === 0 && listed.size === proof.ids.length) return PASSED;
  return failed(
    `Verify found ${listed.size} of ${records(proof.ids.length)}, and would count the others as deleted.`,
  );
}

async function checkMoves(proof: EntityProof): Promise<Outcome> {
  const { pagination } = proof.entity;
  const [list] = proof.lists;
  const last = list?.last;
  if (pagination.kind === 'none') return notApplicable('All records are in one answer.');
  if (!list || !last)
    return notApplicable('The service lists its records in an order that changes do not move.');
  let change: Promise<unknown> | undefined;
  proof.server.onPage = async () => {
    change ??= proof.update(list, last);
    await change;
  };
  const missing = without(proof.ids, idsOf((await proof.run()).pages)).length;
  if (missing === 0) return PASSED;
  return failed(
    'A record that changed while pages were read moved to the start of the list and was missed, so it would count as deleted. Name the column by which the service sorts in “sortedBy”.',
  );
}

/** Checks of runs without faults. */
export const READING_CHECKS: readonly Check[] = [
  { title: 'Reading ends after the last page', path: 'pagination', isBasic: true, run: checkEnd },
  { title: 'All records of all pages are read, each once', path: 'pagination', isBasic: true, run: checkAll },
  { title: 'A limit of no record and of one record is kept', path: 'sortedBy', run: checkLimits },
  { title: 'An interrupted run continues without loss or repetition', path: 'pagination', run: checkResume },
  { title: 'Verify finds all records', path: 'pagination', run: checkListing },
  { title: 'A record that moves while pages are read is not missed', path: 'sortedBy', run: checkMoves },
];
