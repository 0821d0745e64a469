import { type GithubLinks, isoSeconds, nodeId } from './links.ts';
import { type UserType, userShape } from './user-shape.ts';

/** The data from which a repository in GitHub's format is built. */
export interface RepositoryFacts {
  id: number;
  owner: string;
  ownerType: UserType;
  name: string;
  description: string | null;
  language: string | null;
  isPrivate: boolean;
  isFork: boolean;
  createdAt: number;
  pushedAt: number;
  stars: number;
  openIssues: number;
  topics: string[];
}

const LINKS = [
  ['forks', '/forks'],
  ['keys', '/keys{/key_id}'],
  ['collaborators', '/collaborators{/collaborator}'],
  ['teams', '/teams'],
  ['hooks', '/hooks'],
  ['issue_events', '/issues/events{/number}'],
  ['events', '/events'],
  ['assignees', '/assignees{/user}'],
  ['branches', '/branches{/branch}'],
  ['tags', '/tags'],
  ['blobs', '/git/blobs{/sha}'],
  ['git_tags', '/git/tags{/sha}'],
  ['git_refs', '/git/refs{/sha}'],
  ['trees', '/git/trees{/sha}'],
  ['statuses', '/statuses/{sha}'],
  ['languages', '/languages'],
  ['stargazers', '/stargazers'],
  ['contributors', '/contributors'],
  ['subscribers', '/subscribers'],
  ['subscription', '/subscription'],
  ['commits', '/commits{/sha}'],
  ['git_commits', '/git/commits{/sha}'],
  ['comments', '/comments{/number}'],
  ['issue_comment', '/issues/comments{/number}'],
  ['contents', '/contents/{+path}'],
  ['compare', '/compare/{base}...{head}'],
  ['merges', '/merges'],
  ['archive', '/{archive_format}{/ref}'],
  ['downloads', '/downloads'],
  ['issues', '/issues{/number}'],
  ['pulls', '/pulls{/number}'],
  ['milestones', '/milestones{/number}'],
  ['notifications', '/notifications{?since,all,participating}'],
  ['labels', '/labels{/name}'],
  ['releases', '/releases{/id}'],
  ['deployments', '/deployments'],
] as const;

/** Returns a repository as it appears in pull requests and other responses (schema repository). */
export function repositoryShape(links: GithubLinks, facts: RepositoryFacts): Record<string, unknown> {
  const fullName = `${facts.owner}/${facts.name}`;
  const url = `${links.api}/repos/${fullName}`;
  const web = `${links.web}/${fullName}`;
  return {
    id: facts.id,
    node_id: nodeId('R', facts.id),
    name: facts.name,
    full_name: fullName,
    private: facts.isPrivate,
    owner: userShape(links, facts.owner, facts.ownerType),
    html_url: web,
    description: facts.description,
    fork: facts.isFork,
    url,
    ...Object.fromEntries(LINKS.map(([name, path]) => [`${name}_url`, url + path])),
    created_at: isoSeconds(facts.createdAt),
    updated_at: isoSeconds(facts.pushedAt),
    pushed_at: isoSeconds(facts.pushedAt),
    git_url: `${web.replace(/^https?:/, 'git:')}.git`,
    ssh_url: `git@github.com:${fullName}.git`,
    clone_url: `${web}.git`,
    svn_url: web,
    homepage: null,
    size: 1200 + (facts.id % 9000),
    stargazers_count: facts.stars,
    watchers_count: facts.stars,
    language: facts.language,
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: 12,
    mirror_url: null,
    archived: false,
    disabled: false,
    open_issues_count: facts.openIssues,
    license: licenseShape(links),
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: facts.topics,
    visibility: facts.isPrivate ? 'private' : 'public',
    forks: 12,
    open_issues: facts.openIssues,
    watchers: facts.stars,
    default_branch: 'main',
  };
}

/** Returns a repository with the additional fields of GET /repos/{owner}/{repo} (schema full-repository). */
export function fullRepositoryShape(links: GithubLinks, facts: RepositoryFacts): Record<string, unknown> {
  return {
    ...repositoryShape(links, facts),
    permissions: { admin: false, maintain: false, push: true, triage: true, pull: true },
    temp_clone_token: '',
    network_count: 12,
    subscribers_count: 9,
  };
}

function licenseShape(links: GithubLinks): Record<string, string> {
  return {
    key: 'mit',
    name: 'MIT License',
    spdx_id: 'MIT',
    url: `${links.api}/licenses/mit`,
    node_id: 'MDc6TGljZW5zZTEz',
  };
}
