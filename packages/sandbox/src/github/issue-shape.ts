import { isoSeconds, nodeId } from './links.ts';
import type { IssueFacts } from './record-facts.ts';
import { isoOrNull, type RepositoryScene, reactionsShape, type Shape } from './repository-scene.ts';

/** Returns an issue (schema issue). */
export function issueShape(scene: RepositoryScene, issue: IssueFacts): Shape {
  const web = `${scene.web}/issues/${issue.number}`;
  const assignees = issue.assignees.map((login) => scene.user(login));
  return {
    ...addresses(scene, issue.number),
    html_url: web,
    id: issue.id,
    node_id: nodeId('I', issue.id),
    number: issue.number,
    title: issue.title,
    user: scene.user(issue.author),
    labels: issue.labels.map((label) => scene.label(label)),
    state: issue.state,
    locked: issue.isLocked,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: scene.milestone(issue.milestone),
    comments: issue.comments,
    created_at: isoSeconds(issue.createdAt),
    updated_at: isoSeconds(issue.updatedAt),
    closed_at: isoOrNull(issue.closedAt),
    author_association: issue.association,
    active_lock_reason: issue.isLocked ? 'resolved' : null,
    sub_issues_summary: { total: 0, completed: 0, percent_completed: 0 },
    issue_dependencies_summary: { blocked_by: 0, total_blocked_by: 0, blocking: 0, total_blocking: 0 },
    body: issue.body,
    closed_by: scene.user(issue.closedBy),
    reactions: reactionsShape(`${scene.api}/issues/${issue.number}`, issue.thumbs),
    timeline_url: `${scene.api}/issues/${issue.number}/timeline`,
    performed_via_github_app: null,
    state_reason: issue.stateReason,
  };
}

/** Returns a pull request as the list of issues has it. @param pull the pull request in the format of its own list */
export function pullAsIssue(scene: RepositoryScene, pull: Shape, comments: number): Shape {
  const number = Number(pull.number);
  return {
    ...addresses(scene, number),
    html_url: pull.html_url,
    // A pull request has a second id as an issue, but the same node id.
    id: Number(pull.id) + 20_000_000_000,
    node_id: pull.node_id,
    number: pull.number,
    title: pull.title,
    user: pull.user,
    labels: pull.labels,
    state: pull.state,
    locked: pull.locked,
    assignee: pull.assignee,
    assignees: pull.assignees,
    milestone: pull.milestone,
    comments,
    created_at: pull.created_at,
    updated_at: pull.updated_at,
    closed_at: pull.closed_at,
    author_association: pull.author_association,
    active_lock_reason: pull.active_lock_reason,
    draft: pull.draft,
    pull_request: {
      url: pull.url,
      html_url: pull.html_url,
      diff_url: pull.diff_url,
      patch_url: pull.patch_url,
      merged_at: pull.merged_at ?? null,
    },
    body: pull.body,
    closed_by: null,
    reactions: reactionsShape(`${scene.api}/issues/${number}`, number % 4),
    timeline_url: `${scene.api}/issues/${number}/timeline`,
    performed_via_github_app: null,
    state_reason: null,
  };
}

function addresses(scene: RepositoryScene, number: number): Shape {
  const url = `${scene.api}/issues/${number}`;
  return {
    url,
    repository_url: scene.api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
  };
}
