import { PullRepository } from '../github/pull-repository.ts';
import { harbor } from '../samples/pulls/harbor.ts';
import { SamplePulls } from '../samples/pulls/sample-pulls.ts';
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
