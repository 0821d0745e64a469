import { createHash } from 'node:crypto';
import { type GithubLinks, isoSeconds, nodeId } from './links.ts';
import type { PullLabel, PullMilestone, PullTeam } from './pull-facts.ts';
import type { RepositoryFacts } from './repository-shape.ts';
import { userId, userShape } from './user-shape.ts';

/** What labels and milestones need of their repository. */
export type PartOwner = Pick<RepositoryFacts, 'id' | 'owner' | 'name'>;

/** Returns a label of a pull request. */
export function labelShape(
  links: GithubLinks,
  repository: PartOwner,
  label: PullLabel,
): Record<string, unknown> {
  const id = lastingId(`${repository.id}/label/${label.name}`);
  return {
    id,
    node_id: nodeId('LA', id),
    url: `${links.api}/repos/${repository.owner}/${repository.name}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: ['bug', 'documentation', 'enhancement'].includes(label.name),
    description: label.description,
  };
}

/** Returns a team whose review is requested (schema team). */
export function teamShape(links: GithubLinks, organisation: string, team: PullTeam): Record<string, unknown> {
  const id = lastingId(`${organisation}/team/${team.slug}`);
  const url = `${links.api}/organizations/${userId(organisation)}/team/${id}`;
  return {
    name: team.name,
    id,
    node_id: nodeId('T', id),
    slug: team.slug,
    description: team.description,
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    url,
    html_url: `${links.web}/orgs/${organisation}/teams/${team.slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    permission: 'push',
    type: 'organization',
    organization_id: userId(organisation),
    parent: null,
  };
}

/** Returns the milestone of a pull request. */
export function milestoneShape(
  links: GithubLinks,
  repository: PartOwner,
  milestone: PullMilestone,
): Record<string, unknown> {
  const id = lastingId(`${repository.id}/milestone/${milestone.number}`);
  const name = `${repository.owner}/${repository.name}`;
  const url = `${links.api}/repos/${name}/milestones/${milestone.number}`;
  return {
    url,
    html_url: `${links.web}/${name}/milestone/${milestone.number}`,
    labels_url: `${url}/labels`,
    id,
    node_id: nodeId('MI', id),
    number: milestone.number,
    title: milestone.title,
    description: milestone.description,
    creator: userShape(links, milestone.creator),
    open_issues: milestone.state === 'open' ? 7 : 0,
    closed_issues: 21,
    state: milestone.state,
    created_at: isoSeconds(milestone.createdAt),
    updated_at: isoSeconds(milestone.createdAt + 86_400_000),
    due_on: milestone.dueOn === null ? null : isoSeconds(milestone.dueOn),
    closed_at: milestone.state === 'closed' && milestone.dueOn !== null ? isoSeconds(milestone.dueOn) : null,
  };
}

function lastingId(text: string): number {
  return 1_000_000 + (createHash('sha1').update(text).digest().readUInt32BE(0) % 900_000_000);
}
