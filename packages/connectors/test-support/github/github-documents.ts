/** Documents in the shapes of GitHub's answers, complete enough that each stored column has a value. */
const PERSON = {
  login: 'octocat',
  id: 1,
  node_id: 'MDQ6VXNlcjE=',
  avatar_url: 'https://avatars.example.org/u/1',
  gravatar_id: '',
  url: 'https://api.github.com/users/octocat',
  html_url: 'https://github.com/octocat',
  followers_url: 'https://api.github.com/users/octocat/followers',
  gists_url: 'https://api.github.com/users/octocat/gists{/gist_id}',
  type: 'User',
  site_admin: false,
};
/** Returns a person as answers contain one. */
export function githubPerson() {
  return { ...PERSON };
}

/** A person as it is stored. */
export const STORED_PERSON = {
  login: 'octocat',
  id: 1,
  node_id: 'MDQ6VXNlcjE=',
  avatar_url: 'https://avatars.example.org/u/1',
  gravatar_id: '',
  url: 'https://api.github.com/users/octocat',
  html_url: 'https://github.com/octocat',
  type: 'User',
  site_admin: false,
};
const REACTIONS = { url: 'https://api.github.com/x/reactions', total_count: 5, '+1': 3, heart: 2 };

/** Returns an issue of the repository `acme/box`. */
export function githubIssue() {
  return {
    url: 'https://api.github.com/repos/acme/box/issues/12',
    repository_url: 'https://api.github.com/repos/acme/box',
    labels_url: 'https://api.github.com/repos/acme/box/issues/12/labels{/name}',
    comments_url: 'https://api.github.com/repos/acme/box/issues/12/comments',
    events_url: 'https://api.github.com/repos/acme/box/issues/12/events',
    html_url: 'https://github.com/acme/box/issues/12',
    id: 2012,
    node_id: 'I_kwDO12',
    number: 12,
    title: 'The lid does not close',
    user: PERSON,
    labels: [
      {
        id: 7,
        node_id: 'LA_7',
        url: 'https://api.github.com/repos/acme/box/labels/bug',
        name: 'bug',
        color: 'd73a4a',
        default: true,
        description: null,
      },
      { id: 8, name: 'help wanted', color: '008672' },
    ],
    state: 'closed',
    state_reason: 'completed',
    locked: false,
    assignee: PERSON,
    assignees: [PERSON, { ...PERSON, login: 'hubot', id: 2 }],
    milestone: { id: 3, number: 1, title: 'v1.0', state: 'open', creator: PERSON, labels_url: 'x' },
    comments: 4,
    created_at: '2026-01-02T03:04:05Z',
    updated_at: '2026-02-03T04:05:06Z',
    closed_at: '2026-02-01T00:00:00Z',
    author_association: 'MEMBER',
    active_lock_reason: null,
    body: 'It **stays** open.',
    closed_by: PERSON,
    reactions: REACTIONS,
    timeline_url: 'https://api.github.com/repos/acme/box/issues/12/timeline',
    performed_via_github_app: null,
  };
}

/** Returns a comment of the list of issues. @param page `issues` or `pull` */
export function githubIssueComment(page: 'issues' | 'pull' = 'issues') {
  return {
    url: 'https://api.github.com/repos/acme/box/issues/comments/501',
    html_url: `https://github.com/acme/box/${page}/12#issuecomment-501`,
    issue_url: 'https://api.github.com/repos/acme/box/issues/12',
    id: 501,
    node_id: 'IC_kwDO501',
    user: PERSON,
    created_at: '2026-01-03T00:00:00Z',
    updated_at: '2026-01-04T00:00:00Z',
    body: '> The lid does not close\n\nI **cannot** reproduce [it](https://a.example).\nWhich version?',
    author_association: 'NONE',
    reactions: REACTIONS,
    performed_via_github_app: null,
  };
}

/** Returns a comment of the list of reviews, at a line of a file. */
export function githubReviewComment() {
  return {
    url: 'https://api.github.com/repos/acme/box/pulls/comments/501',
    pull_request_review_id: 301,
    id: 501,
    node_id: 'PRRC_kwDO501',
    diff_hunk: '@@ -1,2 +1,3 @@\n+const lid = 1;',
    path: 'src/lid.ts',
    position: 1,
    original_position: 1,
    commit_id: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
    original_commit_id: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
    in_reply_to_id: 500,
    user: PERSON,
    body: 'A constant?',
    created_at: '2026-01-05T00:00:00Z',
    updated_at: '2026-01-06T00:00:00Z',
    html_url: 'https://github.com/acme/box/pull/13#discussion_r501',
    pull_request_url: 'https://api.github.com/repos/acme/box/pulls/13',
    author_association: 'OWNER',
    _links: { self: { href: 'https://api.github.com/repos/acme/box/pulls/comments/501' } },
    start_line: null,
    line: 3,
    side: 'RIGHT',
    subject_type: 'line',
    reactions: REACTIONS,
  };
}
