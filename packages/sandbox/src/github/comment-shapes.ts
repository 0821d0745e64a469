import { isoSeconds, nodeId } from './links.ts';
import type { IssueCommentFacts, ReviewCommentFacts, ReviewFacts } from './record-facts.ts';
import { isoOrNull, type RepositoryScene, reactionsShape, type Shape } from './repository-scene.ts';

/** Returns a comment of a conversation (schema issue-comment). */
export function issueCommentShape(scene: RepositoryScene, comment: IssueCommentFacts): Shape {
  const url = `${scene.api}/issues/comments/${comment.id}`;
  const place = `${comment.isPull ? 'pull' : 'issues'}/${comment.number}`;
  return {
    url,
    html_url: `${scene.web}/${place}#issuecomment-${comment.id}`,
    issue_url: `${scene.api}/issues/${comment.number}`,
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    user: scene.user(comment.author),
    created_at: isoSeconds(comment.createdAt),
    updated_at: isoSeconds(comment.updatedAt),
    body: comment.body,
    author_association: comment.association,
    reactions: reactionsShape(url, comment.thumbs),
    performed_via_github_app: null,
  };
}

/** Returns a comment on a line (schema pull-request-review-comment). */
export function reviewCommentShape(scene: RepositoryScene, comment: ReviewCommentFacts): Shape {
  const url = `${scene.api}/pulls/comments/${comment.id}`;
  const html = `${scene.web}/pull/${comment.number}#discussion_r${comment.id}`;
  const pull = `${scene.api}/pulls/${comment.number}`;
  const position = comment.hunk.split('\n').length - 1;
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: nodeId('PRRC', comment.id),
    diff_hunk: comment.hunk,
    path: comment.path,
    commit_id: comment.sha,
    original_commit_id: comment.sha,
    user: scene.user(comment.author),
    body: comment.body,
    created_at: isoSeconds(comment.createdAt),
    updated_at: isoSeconds(comment.updatedAt),
    html_url: html,
    pull_request_url: pull,
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    reactions: reactionsShape(url, comment.thumbs),
    start_line: null,
    original_start_line: null,
    start_side: null,
    line: comment.isOutdated ? null : comment.line,
    original_line: comment.line,
    side: 'RIGHT',
    author_association: comment.association,
    original_position: position,
    position: comment.isOutdated ? null : position,
    subject_type: 'line',
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo }),
  };
}

/** Returns a review (schema pull-request-review), from which the one of the GraphQL API is read. */
export function reviewShape(scene: RepositoryScene, review: ReviewFacts): Shape {
  const html = `${scene.web}/pull/${review.number}#pullrequestreview-${review.id}`;
  return {
    id: review.id,
    node_id: nodeId('PRR', review.id),
    user: scene.user(review.author),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: `${scene.api}/pulls/${review.number}`,
    author_association: review.association,
    created_at: isoSeconds(review.createdAt),
    updated_at: isoSeconds(review.updatedAt),
    submitted_at: isoOrNull(review.submittedAt),
    commit_id: review.sha,
  };
}
