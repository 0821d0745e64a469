import { harbor, PullRepository, SamplePulls } from '@datadeck/sandbox/parts';
import { SyntheticPulls } from './synthetic-pulls.ts';

const KINDS = 97;

/** Returns a repository `bench/pulls-N` with N pull requests like those of the sample, generated when served. */
export function syntheticRepository(count: number, anchor: number): PullRepository {
  const repository = { id: 880_000_001, owner: 'bench', name: `pulls-${count}` };
  const sample = new SamplePulls(
    { ...harbor, repository: { ...harbor.repository, ...repository }, pulls: KINDS },
    anchor,
  );
  return new PullRepository(repository, new SyntheticPulls(count, anchor, sample));
}
