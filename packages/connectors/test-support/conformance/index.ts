import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Reader } from '../../src/sdk/conformance/reading.ts';
import { testChanges } from './changes.ts';
import { testDeclaration } from './declaration.ts';
import { testEstimates } from './estimates.ts';
import { testFailures, testOddities } from './failures.ts';
import { testListing } from './listing.ts';
import { testScopes } from './scopes.ts';
import { testSince } from './since.ts';
import type { ConformanceSubject, ScopeControl, StandIn } from './stand-in.ts';

export type { ConformanceSubject, FaultOrder, ScopeControl, StandIn } from './stand-in.ts';

const METERED_SPEED = 20;

/** Tests that runs larger than a minute's quota keep to the quota. */
function testBudget(subject: ConformanceSubject, startMetered: () => Promise<StandIn>): void {
  // @covers limits.units-both-quotas
  it('never exceeds the quota of units', async () => {
    const standIn = await startMetered();
    try {
      const reader = new Reader(subject, standIn, METERED_SPEED);
      while (standIn.spending().units < standIn.connector.quota.unitsPerMinute * 1.2)
        await reader.run({ limit: 40 });
      expect(standIn.spending().refused).toBe(0);
    } finally {
      await standIn.close();
    }
  });
}

function changesOf(standIn: StandIn): ScopeControl {
  if (!standIn.changes) throw new Error('an incremental entity needs a stand-in with changes');
  return standIn.changes;
}

/** The conformance suite for connectors. A new connector calls it once for each of its entities. */
export function describeConnector(subject: ConformanceSubject): void {
  describe(`entity ${subject.name}`, () => {
    let standIn: StandIn;
    let reader: Reader;
    let ids: readonly string[];
    const stage = {
      subject,
      get standIn() {
        return standIn;
      },
      get reader() {
        return reader;
      },
      get ids() {
        return ids;
      },
    };
    beforeAll(async () => {
      standIn = await subject.start();
      ids = await standIn.listIds();
    });
    beforeEach(() => {
      standIn.reset();
      reader = new Reader(subject, standIn);
    });
    afterAll(() => standIn?.close());

    testDeclaration(stage);
    testScopes(stage);
    testEstimates(stage);
    testListing(stage);
    testFailures(stage);
    testOddities(stage);
    if (subject.isIncremental) testChanges(stage, () => changesOf(standIn));
    const { sinceTimeOf } = subject;
    if (sinceTimeOf) testSince(stage, { timeOf: sinceTimeOf, control: () => changesOf(standIn) });
    if (subject.startMetered) testBudget(subject, subject.startMetered);
  });
}
