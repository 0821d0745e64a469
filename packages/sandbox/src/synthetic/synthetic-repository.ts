import type { PullRepository } from '../github/pull-repository.ts';
import { harbor } from '../samples/pulls/harbor.ts';
import { sampleRepository } from '../samples/pulls/sample-pulls.ts';

/** A repository `bench/pulls-N` with N pull requests in the manner of the sample, made when they are served. */
export function syntheticRepository(count: number, anchor: number): PullRepository {
  const repository = { ...harbor.repository, id: 880_000_001, owner: 'bench', name: `pulls-${count}` };
  return sampleRepository({ ...harbor, repository, pulls: count, days: 1500 }, anchor);
}
