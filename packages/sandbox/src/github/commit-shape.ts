import { hash } from 'node:crypto';
import { isoSeconds } from './links.ts';
import type { CommitFacts, CommitPerson } from './record-facts.ts';
import type { RepositoryScene, Shape } from './repository-scene.ts';

/** Returns a commit (schema commit). */
export function commitShape(scene: RepositoryScene, commit: CommitFacts): Shape {
  const url = `${scene.api}/commits/${commit.sha}`;
  const tree = hash('sha1', `tree of ${commit.sha}`);
  const { author, committer, isVerified } = commit;
  return {
    sha: commit.sha,
    node_id: `C_kwDO${Buffer.from(commit.sha.slice(0, 24)).toString('base64url')}`,
    commit: {
      author: personShape(author),
      committer: personShape(committer),
      message: commit.message,
      tree: { sha: tree, url: `${scene.api}/git/trees/${tree}` },
      url: `${scene.api}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: {
        verified: isVerified,
        reason: isVerified ? 'valid' : 'unsigned',
        signature: isVerified ? '-----BEGIN PGP SIGNATURE-----\n\n-----END PGP SIGNATURE-----' : null,
        payload: isVerified ? `tree ${tree}\n` : null,
        verified_at: isVerified ? isoSeconds(committer.date) : null,
      },
    },
    url,
    html_url: `${scene.web}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    author: scene.user(author.login),
    committer: scene.user(committer.login),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${scene.api}/commits/${sha}`,
      html_url: `${scene.web}/commit/${sha}`,
    })),
    ...commit.fields,
  };
}

function personShape({ name, email, date }: CommitPerson): Shape {
  return { name, email, date: isoSeconds(date) };
}

/** Returns a changed file of a comparison (schema diff-entry). */
export function fileShape(scene: RepositoryScene, { sha }: CommitFacts, path: string): Shape {
  const size = Number.parseInt(sha.slice(0, 2), 16);
  const blob = hash('sha1', `${sha} ${path}`);
  return {
    sha: blob,
    filename: path,
    status: 'modified',
    additions: size,
    deletions: size >> 1,
    changes: size + (size >> 1),
    blob_url: `${scene.web}/blob/${sha}/${path}`,
    raw_url: `${scene.web}/raw/${sha}/${path}`,
    contents_url: `${scene.api}/contents/${path}?ref=${sha}`,
    patch: '@@ -1,3 +1,4 @@\n one\n+two\n three',
  };
}
