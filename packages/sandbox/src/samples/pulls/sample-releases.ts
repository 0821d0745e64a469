import type { PullFacts } from '../../github/pull-facts.ts';
import type { AssetFacts, ReleaseFacts } from '../../github/record-facts.ts';
import { SeededRandom } from '../seeded-random.ts';
import type { PullProject } from './pull-project.ts';
import { idBase, pickEarly, wholeSeconds } from './sample-people.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Generates a release every few weeks, some with a candidate before them, and the draft of the next one. */
export function sampleReleases(
  project: PullProject,
  pulls: readonly PullFacts[],
  anchor: number,
): ReleaseFacts[] {
  const random = new SeededRandom(`${project.repository.name}/releases`);
  const releases: ReleaseFacts[] = [];
  const version = { major: project.repository.ownerType === 'User' ? 0 : 2, minor: 0, patch: 0 };
  let previous = anchor - project.days * DAY;
  let at = previous + 12 * DAY;
  for (; at < anchor - DAY; at += random.between(17, 36) * DAY) {
    const isMinor = random.chance(0.45);
    if (isMinor) Object.assign(version, { minor: version.minor + 1, patch: 0 });
    else version.patch += 1;
    const tag = `v${version.major}.${version.minor}.${version.patch}`;
    const time = wholeSeconds(at + random.next() * 8 * HOUR);
    const notes = notesOf(pulls, previous, time);
    const common = { project, random, age: anchor - time };
    if (isMinor) releases.push(release(common, releases.length, `${tag}-rc.1`, time - 5 * DAY, notes));
    releases.push(release(common, releases.length, tag, time, notes));
    previous = time;
  }
  const draft = release(
    { project, random, age: 0 },
    releases.length,
    `v${version.major}.${version.minor + 1}.0`,
    wholeSeconds(anchor - 6 * HOUR),
    notesOf(pulls, previous, anchor),
  );
  return [...releases, { ...draft, isDraft: true, publishedAt: null, assets: [], thumbs: 0 }];
}

function release(
  { project, random, age }: { project: PullProject; random: SeededRandom; age: number },
  index: number,
  tag: string,
  time: number,
  body: string,
): ReleaseFacts {
  const isPrerelease = tag.includes('-rc.');
  const publishedAt = time + random.between(10, 90) * 60_000;
  const isByHand = random.chance(0.6);
  return {
    id: idBase(project.repository.id) + index + 1,
    tag,
    name: random.chance(0.15) ? null : tag,
    body: random.chance(0.06) ? null : body,
    author: isByHand ? pickEarly(random, project.members) : 'github-actions[bot]',
    isDraft: false,
    isPrerelease,
    createdAt: time,
    updatedAt: publishedAt,
    publishedAt,
    assets: assetsOf(random, project, tag, isPrerelease ? 0.05 : Math.min(1, age / (60 * DAY))),
    thumbs: isPrerelease ? 0 : random.between(0, 14),
  };
}

function assetsOf(
  random: SeededRandom,
  { repository }: PullProject,
  tag: string,
  share: number,
): AssetFacts[] {
  if (repository.language !== 'Go') return [];
  const { name, stars } = repository;
  const files = ['linux_amd64.tar.gz', 'linux_arm64.tar.gz', 'darwin_arm64.tar.gz', 'windows_amd64.zip'];
  const archives = files.map((file, index) => ({
    name: `${name}_${tag.slice(1)}_${file}`,
    contentType: file.endsWith('.zip') ? 'application/zip' : 'application/gzip',
    size: 9_000_000 + random.between(0, 900_000),
    downloads: Math.floor((stars * share * random.between(30, 90)) / 100 / (index + 1)),
  }));
  const sums = { name: 'checksums.txt', contentType: 'text/plain', size: 412 };
  return [...archives, { ...sums, downloads: Math.floor(stars * share * 0.2) }];
}

function notesOf(pulls: readonly PullFacts[], after: number, until: number): string {
  const merged = pulls.filter(({ mergedAt }) => mergedAt !== null && mergedAt > after && mergedAt <= until);
  const lines = merged.map(
    ({ title, author, number }) => `* ${title} by @${author ?? 'ghost'} in #${number}`,
  );
  return ["## What's Changed", ...lines].join('\r\n');
}
