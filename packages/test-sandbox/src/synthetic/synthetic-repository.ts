import { harbor, PullRepository, type RepositoryPlace, SamplePulls } from '@datadeck/sandbox/parts';
import { SyntheticActivity, type SyntheticRecords } from './synthetic-activity.ts';
import { SyntheticPulls } from './synthetic-pulls.ts';

const KINDS = 97;

/** Returns a repository with pull requests like those of the sample, generated when served. */
export function syntheticRepository(
  place: RepositoryPlace,
  count: number,
  anchor: number,
  records?: SyntheticRecords,
): PullRepository {
  const { id, owner, name } = place;
  const sample = new SamplePulls(
    {
      ...harbor,
      repository: { ...harbor.repository, id, owner, name, isPrivate: place.visibleTo !== undefined },
      pulls: KINDS,
    },
    anchor,
  );
  const activity = records && new SyntheticActivity(id, count, anchor, records);
  return new PullRepository(place, new SyntheticPulls(count, anchor, sample), activity);
}
