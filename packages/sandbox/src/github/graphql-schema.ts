import { buildSchema, GraphQLEnumType } from 'graphql';

/** The cut of GitHub's public GraphQL schema that the sandbox answers. A test compares it with the schema. */
export const SCHEMA_TEXT = `
scalar BigInt
scalar DateTime
scalar GitObjectID
scalar URI

interface Node {
  id: ID!
}

interface Actor {
  login: String!
  resourcePath: URI!
  url: URI!
}

type Query {
  repository(followRenames: Boolean = true, name: String!, owner: String!): Repository
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  rateLimit(dryRun: Boolean = false): RateLimit
  viewer: User!
}

type RateLimit {
  cost: Int!
  limit: Int!
  nodeCount: Int!
  remaining: Int!
  resetAt: DateTime!
  used: Int!
}

type Repository implements Node {
  databaseId: Int
  id: ID!
  isPrivate: Boolean!
  issues(
    after: String
    before: String
    first: Int
    last: Int
    orderBy: IssueOrder
    states: [IssueState!]
  ): IssueConnection!
  name: String!
  nameWithOwner: String!
  pullRequests(
    after: String
    baseRefName: String
    before: String
    first: Int
    headRefName: String
    last: Int
    orderBy: IssueOrder
    states: [PullRequestState!]
  ): PullRequestConnection!
  url: URI!
}

type IssueConnection {
  nodes: [Issue]
  pageInfo: PageInfo!
  totalCount: Int!
}

type Issue implements Node {
  id: ID!
  number: Int!
  title: String!
}

enum IssueState {
  CLOSED
  OPEN
}

type PullRequestConnection {
  edges: [PullRequestEdge]
  nodes: [PullRequest]
  pageInfo: PageInfo!
  totalCount: Int!
}

type PullRequestEdge {
  cursor: String!
  node: PullRequest
}

type PullRequest implements Node {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  closedAt: DateTime
  createdAt: DateTime!
  fullDatabaseId: BigInt
  id: ID!
  isDraft: Boolean!
  merged: Boolean!
  mergedAt: DateTime
  number: Int!
  repository: Repository!
  reviews(
    after: String
    author: String
    before: String
    first: Int
    last: Int
    states: [PullRequestReviewState!]
  ): PullRequestReviewConnection
  state: PullRequestState!
  title: String!
  updatedAt: DateTime!
  url: URI!
}

type PullRequestReviewConnection {
  edges: [PullRequestReviewEdge]
  nodes: [PullRequestReview]
  pageInfo: PageInfo!
  totalCount: Int!
}

type PullRequestReviewEdge {
  cursor: String!
  node: PullRequestReview
}

type PullRequestReview implements Node {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  commit: Commit
  createdAt: DateTime!
  fullDatabaseId: BigInt
  id: ID!
  pullRequest: PullRequest!
  state: PullRequestReviewState!
  submittedAt: DateTime
  updatedAt: DateTime!
  url: URI!
}

type Commit implements Node {
  id: ID!
  oid: GitObjectID!
  url: URI!
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
}

type User implements Actor & Node {
  databaseId: Int
  id: ID!
  login: String!
  name: String
  resourcePath: URI!
  url: URI!
}

type Bot implements Actor & Node {
  databaseId: Int
  id: ID!
  login: String!
  resourcePath: URI!
  url: URI!
}

type Organization implements Actor & Node {
  databaseId: Int
  id: ID!
  login: String!
  resourcePath: URI!
  url: URI!
}

type Mannequin implements Actor & Node {
  databaseId: Int
  id: ID!
  login: String!
  resourcePath: URI!
  url: URI!
}

input IssueOrder {
  direction: OrderDirection!
  field: IssueOrderField!
}

enum IssueOrderField {
  COMMENTS
  CREATED_AT
  UPDATED_AT
}

enum OrderDirection {
  ASC
  DESC
}

enum PullRequestState {
  CLOSED
  MERGED
  OPEN
}

enum PullRequestReviewState {
  APPROVED
  CHANGES_REQUESTED
  COMMENTED
  DISMISSED
  PENDING
}

enum CommentAuthorAssociation {
  COLLABORATOR
  CONTRIBUTOR
  FIRST_TIMER
  FIRST_TIME_CONTRIBUTOR
  MANNEQUIN
  MEMBER
  NONE
  OWNER
}
`;

/** The schema as it is executed. Enums send values that a later version of GitHub may have. */
export const SCHEMA = buildSchema(SCHEMA_TEXT);

for (const type of Object.values(SCHEMA.getTypeMap()))
  if (type instanceof GraphQLEnumType && !type.name.startsWith('__')) type.serialize = String;
