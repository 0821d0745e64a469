/** Documents of reviews, runs, commits, releases and repositories in the shapes of GitHub's answers. */
import { githubPerson } from './github-documents.ts';

const PERSON = githubPerson();
const REPOSITORY = {
  id: 9,
  node_id: 'R_9',
  name: 'box',
  full_name: 'acme/box',
  private: false,
  owner: PERSON,
  html_url: 'https://github.com/acme/box',
  description: 'A box',
  fork: false,
  url: 'https://api.github.com/repos/acme/box',
  keys_url: 'https://api.github.com/repos/acme/box/keys{/key_id}',
};

/** Returns a review and its pull request as GitHub's GraphQL API answers them. */
export function githubReview() {
  return {
    node: {
      id: 'PRR_kwDO301',
      fullDatabaseId: '301',
      state: 'CHANGES_REQUESTED',
      body: 'Please **test** it.',
      url: 'https://github.com/acme/box/pull/13#pullrequestreview-301',
      createdAt: '2026-01-05T00:00:00Z',
      updatedAt: '2026-01-05T02:00:00Z',
      submittedAt: '2026-01-05T01:00:00Z',
      authorAssociation: 'MEMBER',
      author: { __typename: 'User', login: 'hubot' },
      commit: { oid: '6dcb09b5b57875f334f61aebed695e2e4193db5e' },
    },
    pull: {
      id: 'PR_kwDO13',
      fullDatabaseId: '2013',
      number: 13,
      title: 'Close the lid',
      url: 'https://github.com/acme/box/pull/13',
      createdAt: '2026-01-04T00:00:00Z',
      updatedAt: '2026-01-06T00:00:00Z',
      closedAt: '2026-01-06T00:00:00Z',
      mergedAt: '2026-01-06T00:00:00Z',
      isDraft: false,
      state: 'MERGED',
      author: { __typename: 'User', login: 'octocat' },
    },
  };
}

/** Returns a completed workflow run of a pull request. */
export function githubRun() {
  return {
    id: 30_433_642,
    name: 'Build',
    node_id: 'WFR_1',
    head_branch: 'lid',
    head_sha: '009b8a3a9ccbb128af87f9b1c0f4c62e8a304f6d',
    path: '.github/workflows/build.yml@lid',
    run_number: 562,
    event: 'pull_request',
    display_title: 'Close the lid',
    status: 'completed',
    conclusion: 'failure',
    workflow_id: 159_038,
    check_suite_id: 42,
    url: 'https://api.github.com/repos/acme/box/actions/runs/30433642',
    html_url: 'https://github.com/acme/box/actions/runs/30433642',
    pull_requests: [{ id: 13, number: 13, url: 'https://api.github.com/repos/acme/box/pulls/13' }],
    created_at: '2026-01-22T19:33:08Z',
    updated_at: '2026-01-22T19:38:40Z',
    actor: PERSON,
    triggering_actor: PERSON,
    run_attempt: 2,
    run_started_at: '2026-01-22T19:36:08Z',
    jobs_url: 'https://api.github.com/repos/acme/box/actions/runs/30433642/jobs',
    previous_attempt_url: null,
    head_commit: {
      id: '009b8a3a9ccbb128af87f9b1c0f4c62e8a304f6d',
      message: 'Close the lid\n\nIt was open.',
      timestamp: '2026-01-22T19:33:05Z',
      author: { name: 'Octo Cat', email: 'octo@example.org' },
    },
    repository: REPOSITORY,
    head_repository: REPOSITORY,
  };
}

/** Returns a merge commit of the default branch. */
export function githubCommit() {
  return {
    sha: '7FD1A60B01F91B314F59955A4E4D4E80D8EDF11D',
    node_id: 'C_kwDO7fd1a6',
    commit: {
      author: { name: 'Octo Cat', email: 'octo@example.org', date: '2026-01-09T22:00:00Z' },
      committer: { name: 'GitHub', email: 'noreply@github.com', date: '2026-01-10T00:00:00Z' },
      message: 'Close the lid (#13)\n\nIt **was** open.',
      tree: { sha: 'b4eecafa9be2f2006ce1b709d6857b07069b4608', url: 'https://api.github.com/x' },
      url: 'https://api.github.com/repos/acme/box/git/commits/7fd1a60',
      comment_count: 0,
      verification: { verified: true, reason: 'valid', signature: '-----BEGIN', payload: 'tree b4' },
    },
    url: 'https://api.github.com/repos/acme/box/commits/7fd1a60b01f91b314f59955a4e4d4e80d8edf11d',
    html_url: 'https://github.com/acme/box/commit/7fd1a60b01f91b314f59955a4e4d4e80d8edf11d',
    comments_url: 'https://api.github.com/repos/acme/box/commits/7fd1a60/comments',
    author: PERSON,
    committer: { ...PERSON, login: 'web-flow' },
    parents: [
      { sha: '553c2077f0edc3d5dc5d17262f6aa498e69d6f8e', url: 'https://api.github.com/x' },
      { sha: '762941318ee16e59dabbacb1b4049eec22f0d303', url: 'https://api.github.com/x' },
    ],
  };
}

/** Returns a published release with two files. */
export function githubRelease() {
  const asset = {
    url: 'https://api.github.com/repos/acme/box/releases/assets/1',
    browser_download_url: 'https://github.com/acme/box/releases/download/v1.0.0/box.zip',
    id: 1,
    name: 'box.zip',
    label: null,
    content_type: 'application/zip',
    size: 1024,
    download_count: 42,
    uploader: PERSON,
  };
  return {
    url: 'https://api.github.com/repos/acme/box/releases/77',
    html_url: 'https://github.com/acme/box/releases/tag/v1.0.0',
    assets_url: 'https://api.github.com/repos/acme/box/releases/77/assets',
    upload_url: 'https://uploads.github.com/repos/acme/box/releases/77/assets{?name,label}',
    tarball_url: 'https://api.github.com/repos/acme/box/tarball/v1.0.0',
    id: 77,
    node_id: 'RE_77',
    tag_name: 'v1.0.0',
    target_commitish: 'main',
    name: 'The first box',
    body: '## Changes\n- a lid',
    draft: false,
    prerelease: false,
    created_at: '2026-02-27T19:35:32Z',
    published_at: '2026-02-28T19:35:32Z',
    updated_at: '2026-03-01T00:00:00Z',
    author: PERSON,
    assets: [asset, { ...asset, id: 2, name: 'box.tar.gz', download_count: 8 }],
  };
}

/** Returns a repository as GitHub lists it. */
export function githubRepository() {
  return {
    ...REPOSITORY,
    homepage: 'https://box.example.org',
    language: 'TypeScript',
    forks_count: 9,
    stargazers_count: 80,
    watchers_count: 80,
    size: 108,
    default_branch: 'main',
    open_issues_count: 3,
    topics: ['lids', 'boxes'],
    archived: false,
    disabled: false,
    visibility: 'public',
    pushed_at: '2026-03-26T19:06:43Z',
    created_at: '2024-01-26T19:01:12Z',
    updated_at: '2026-03-27T19:14:43Z',
    permissions: { admin: false, push: false, pull: true },
    license: { key: 'mit', name: 'MIT License', spdx_id: 'MIT', url: 'https://api.github.com/licenses/mit' },
    mirror_url: null,
    git_url: 'git:github.com/acme/box.git',
    clone_url: 'https://github.com/acme/box.git',
  };
}
