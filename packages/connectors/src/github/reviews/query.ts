const REVIEW = `
  id fullDatabaseId state body url createdAt updatedAt submittedAt authorAssociation
  author { __typename login }
  commit { oid }`;
const REVIEWS = `totalCount pageInfo { hasNextPage endCursor } nodes {${REVIEW} }`;

/** Pull requests of a repository in an order, the latest first, with up to fifty reviews each: one point. */
export const REVIEWS_QUERY = `
query Reviews($owner: String!, $name: String!, $first: Int!, $after: String, $field: IssueOrderField!) {
  repository(owner: $owner, name: $name) {
    databaseId
    nameWithOwner
    pullRequests(first: $first, after: $after, orderBy: { field: $field, direction: DESC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        id fullDatabaseId number title url createdAt updatedAt closedAt mergedAt isDraft state
        author { __typename login }
        reviews(first: 50) { ${REVIEWS} }
      }
    }
  }
}`;

/** Further reviews of a pull request: one point. */
export const MORE_REVIEWS_QUERY = `
query MoreReviews($id: ID!, $after: String) {
  node(id: $id) { ... on PullRequest { reviews(first: 100, after: $after) { ${REVIEWS} } } }
}`;

/** Numbers of reviews of pull requests in an order, the latest first, and when they were updated: one point. */
export const REVIEW_COUNTS_QUERY = `
query ReviewCounts($owner: String!, $name: String!, $after: String, $field: IssueOrderField!) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: 100, after: $after, orderBy: { field: $field, direction: DESC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { updatedAt reviews(first: 50) { totalCount nodes { updatedAt } } }
    }
  }
}`;
