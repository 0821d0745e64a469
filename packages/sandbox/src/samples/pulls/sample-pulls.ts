import type { GithubLinks } from '../../github/links.ts';
import type { PullFacts, PullMilestone } from '../../github/pull-facts.ts';
import { PullRepository, type PullRow, type PullSource } from '../../github/pull-repository.ts';
import { PullShaper } from '../../github/pull-shape.ts';
import { fullRepositoryShape, type RepositoryFacts } from '../../github/repository-shape.ts';
import { SeededRandom } from '../seeded-random.ts';
import type { PullProject } from './pull-project.ts';
import { SampleActivity } from './sample-activity.ts';
import { pickEarly, wholeSeconds } from './sample-people.ts';
import { writeBody } from './write-body.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns a sample repository whose last pull requests are just before `anchor`. Always the same for the same project. */
export function sampleRepository(project: PullProject, anchor: number): PullRepository {
  const { id, owner, name } = project.repository;
  const { visibleTo, members } = project;
  const place = { id, owner, name, members, ...(visibleTo ? { visibleTo } : {}) };
  const pulls = new SamplePulls(project, anchor);
  return new PullRepository(place, pulls, new SampleActivity(project, anchor, () => pulls.allFacts()));
}

/** Generates pull requests from seeds: facts are generated on each request and not stored. */
export class SamplePulls implements PullSource {
  readonly #project: PullProject;
  readonly #anchor: number;
  #shaper: { key: string; shaper: PullShaper } | undefined;

  constructor(project: PullProject, anchor: number) {
    this.#project = project;
    this.#anchor = anchor;
  }

  rows(): PullRow[] {
    const shaper = this.#shaperFor({ web: '', api: '' });
    return Array.from({ length: this.#project.pulls }, (_, key) => {
      const facts = this.facts(key);
      return {
        key,
        id: shaper.pullId(facts.number),
        number: facts.number,
        createdAt: facts.createdAt,
        updatedAt: facts.updatedAt,
        closedAt: facts.closedAt,
        state: facts.state,
        headLabel: `${facts.headOwner ?? ''}:${facts.headRef}`,
        baseRef: facts.baseRef,
        comments: facts.size.comments,
      };
    });
  }

  shape(row: PullRow, form: 'list' | 'single', links: GithubLinks): Record<string, unknown> {
    return this.#shaperFor(links).shape(this.facts(row.key), form);
  }

  text(row: PullRow, links: GithubLinks): Buffer {
    return this.#shaperFor(links).text(this.facts(row.key));
  }

  repositoryShape(links: GithubLinks): Record<string, unknown> {
    return fullRepositoryShape(links, this.repository());
  }

  /** Returns the facts of the repository. */
  repository(): RepositoryFacts {
    const { repository, days, pulls } = this.#project;
    return {
      ...repository,
      createdAt: this.#anchor - (days + 90) * DAY,
      pushedAt: this.#anchor - 5 * HOUR,
      openIssues: Math.ceil(pulls / 9),
    };
  }

  #shaperFor(links: GithubLinks): PullShaper {
    const key = `${links.web} ${links.api}`;
    if (this.#shaper?.key !== key) this.#shaper = { key, shaper: new PullShaper(links, this.repository()) };
    return this.#shaper.shaper;
  }

  /** Returns the facts of all pull requests, the oldest first. */
  allFacts(): PullFacts[] {
    return Array.from({ length: this.#project.pulls }, (_, key) => this.facts(key));
  }

  /** Returns the facts of the pull request at this index, from 0. */
  facts(key: number): PullFacts {
    const project = this.#project;
    const random = new SeededRandom(`${project.repository.name}/${key}`);
    const number = key + 1 + Math.floor(key * 0.4);
    const isMember = random.chance(0.6);
    const author = isMember ? pickEarly(random, project.members) : random.pick(project.contributors);
    const course = this.#course(random, key);
    const isBot = author.endsWith('[bot]');
    const isInside = isMember || isBot;
    const headRepo = random.chance(0.12) ? null : isInside ? 'base' : 'fork';
    const title = this.#title(random, key);
    return {
      ...course,
      number,
      title,
      body: writeBody(random, project),
      author: random.chance(0.015) ? 'ghost' : author,
      isLocked: course.state === 'closed' && random.chance(0.03),
      mergedBy: course.mergedAt === null ? null : pickEarly(random, project.members),
      labels: random.some(project.labels, isBot ? 1 : random.between(0, 3)),
      assignees: random.chance(0.4) ? random.some(project.members, random.between(1, 2)) : [],
      reviewers:
        course.state === 'open'
          ? random.some(
              project.members.filter((login) => login !== author),
              random.between(0, 3),
            )
          : [],
      teams: course.state === 'open' && random.chance(0.3) ? random.some(project.teams, 1) : [],
      milestone: this.#milestone(random),
      baseRef: random.chance(0.08) ? 'release-2.4' : 'main',
      headRef: `${isBot ? 'deps' : author.split('-')[0]}/${branchName(title)}`,
      headOwner:
        headRepo === null && random.chance(0.15) ? null : isInside ? project.repository.owner : author,
      headRepo,
      association: author === project.repository.owner ? 'OWNER' : isMember ? 'MEMBER' : 'CONTRIBUTOR',
      size: sizeOf(random),
    };
  }

  /** Returns when it was opened, changed and closed. Numbers follow the order of opening. */
  #course(
    random: SeededRandom,
    key: number,
  ): Pick<PullFacts, 'state' | 'isDraft' | 'createdAt' | 'updatedAt' | 'closedAt' | 'mergedAt'> {
    const { days, pulls } = this.#project;
    const step = (days * DAY) / pulls;
    const createdAt = wholeSeconds(this.#anchor - days * DAY + step * key + random.next() * step * 0.9);
    const age = this.#anchor - createdAt;
    const isOpen = random.chance(age < 10 * DAY ? 0.75 : age < 60 * DAY ? 0.25 : 0.05);
    const latest = createdAt + age * (0.5 + random.next() / 2);
    const end = Math.min(latest, createdAt + HOUR + random.next() ** 3 * 40 * DAY);
    const updatedAt = wholeSeconds(
      isOpen
        ? createdAt + random.next() * Math.min(age, 20 * DAY)
        : Math.min(end + random.next() * 2 * DAY, createdAt + age),
    );
    if (isOpen)
      return {
        state: 'open',
        isDraft: random.chance(0.2),
        createdAt,
        updatedAt,
        closedAt: null,
        mergedAt: null,
      };
    const closedAt = Math.min(wholeSeconds(end), updatedAt);
    return {
      state: 'closed',
      isDraft: false,
      createdAt,
      updatedAt,
      closedAt,
      mergedAt: random.chance(0.82) ? closedAt : null,
    };
  }

  #title(random: SeededRandom, key: number): string {
    const { titles, patterns, parts, pulls } = this.#project;
    const every = Math.max(1, Math.floor(pulls / titles.length));
    const own = key % every === 0 ? titles[key / every] : undefined;
    return own ?? random.pick(patterns).replace('{part}', random.pick(parts));
  }

  #milestone(random: SeededRandom): PullMilestone | null {
    const { milestones } = this.#project;
    if (milestones.length === 0 || random.chance(0.6)) return null;
    const chosen = random.pick(milestones);
    const dueOn = chosen.state === 'open' ? this.#anchor + 40 * DAY : this.#anchor - chosen.number * 20 * DAY;
    return { ...chosen, createdAt: dueOn - 120 * DAY, dueOn };
  }
}

function sizeOf(random: SeededRandom): PullFacts['size'] {
  const additions = Math.ceil(random.next() ** 3 * 900) + 1;
  return {
    additions,
    deletions: Math.floor(additions * random.next()),
    changedFiles: 1 + Math.floor(additions / 60),
    commits: random.between(1, 7),
    comments: Math.floor(random.next() ** 2 * 14),
    reviewComments: Math.floor(random.next() ** 2 * 20),
  };
}

function branchName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['translation'];
  return words.slice(0, 5).join('-');
}
