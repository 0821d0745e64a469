import { PullRepository } from '../github/pull-repository.ts';
import { harbor } from '../samples/pulls/harbor.ts';
import { SamplePulls } from '../samples/pulls/sample-pulls.ts';
import { SyntheticPulls } from './synthetic-pulls.ts';

const KINDS = 97;

/** A repository `bench/pulls-N` with N pull requests in the manner of the sample, made when they are served. */
export function syntheticRepository(count: number, anchor: number): PullRepository {
  const place = { id: 880_000_001, owner: 'bench', name: `pulls-${count}` };
  const sample = new SamplePulls(
    { ...harbor, repository: { ...harbor.repository, ...place }, pulls: KINDS },
    anchor,
  );
  return new PullRepository(place, new SyntheticPulls(count, anchor, sample));
}
