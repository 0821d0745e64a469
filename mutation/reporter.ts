/** Stryker plugin: reduces the plan to a sample of the mutants, and appends each result to the file MUTATION_RESULTS. */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/** A mutant as Stryker reports it, as far as it is used here. */
interface Mutant {
  fileName: string;
  mutatorName: string;
  replacement: string;
  location: { start: { line: number; column: number } };
}

interface TestedMutant extends Mutant {
  status: string;
}

/** Chooses mutants by their hashes with the seed: a change of one line leaves most of the choice as it was. */
function choose<Plan extends { mutant: Mutant }>(
  plans: readonly Plan[],
  seed: string,
  count: number,
): Plan[] {
  const occurrences = new Map<string, number>();
  const ranked = plans.map((plan) => {
    const { fileName, mutatorName, replacement } = plan.mutant;
    const key = [relative(process.cwd(), fileName), mutatorName, replacement].join('\n');
    const occurrence = occurrences.get(key) ?? 0;
    occurrences.set(key, occurrence + 1);
    return { plan, rank: createHash('sha256').update(`${seed}\n${occurrence}\n${key}`).digest('hex') };
  });
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  const chosen = new Set(ranked.slice(0, count).map(({ plan }) => plan));
  return plans.filter((plan) => chosen.has(plan));
}

function append(line: object): void {
  appendFileSync(process.env.MUTATION_RESULTS ?? '', `${JSON.stringify(line)}\n`);
}

const reporter = {
  onDryRunCompleted({ timing }: { timing: { net: number; overhead: number } }): void {
    append({ testMs: timing.net + timing.overhead });
  },

  /** Shortens the array itself, which Stryker runs next: Stryker has no option for a sample. */
  onMutationTestingPlanReady({ mutantPlans }: { mutantPlans: { mutant: Mutant }[] }): void {
    const found = mutantPlans.length;
    const { MUTATION_SAMPLE: sample = found, MUTATION_SEED: seed = '' } = process.env;
    mutantPlans.splice(0, found, ...choose(mutantPlans, seed, Number(sample)));
    append({ found, planned: mutantPlans.length });
  },

  onMutantTested({ fileName, location, mutatorName, replacement, status }: TestedMutant): void {
    const { line, column } = location.start;
    const at = `${relative(process.cwd(), fileName)}:${line}:${column}`;
    append({ status, at, mutatorName, replacement });
  },
};

export const strykerPlugins = [{ kind: 'Reporter', name: 'lines', value: reporter }];
