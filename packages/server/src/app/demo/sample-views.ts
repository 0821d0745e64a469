import { type Parameter, STARTERS } from '@datadeck/contract';
import { type NewView, toStoredBase } from '../../features/views/index.ts';
import type { SampleRecords } from './sample-records.ts';

/** A view of the demo workspace. `basedOn` and `category` refer to titles. */
export interface SampleView {
  title: string;
  description: string;
  query: string;
  provider: 'google' | 'github';
  entity: string;
  templateKey?: string;
  basedOn?: string;
  category?: string;
  parameters?: Parameter[];
  bases?: NewView['bases'];
}

export const SAMPLE_QUERIES: readonly { title: string; query: string }[] = [
  { title: 'Only unread', query: '$["UNREAD" in labelIds].{"from": from.address, "subject": subject}' },
  { title: 'Subjects', query: '$.subject' },
  { title: 'Count of rows', query: '{"rows": $count($)}' },
  { title: 'Merged titles', query: '$[merged_at].{"number": number, "title": title}' },
  { title: 'Group by author', query: '$^(user.login){user.login: $count(title)}' },
  { title: 'Long lived', query: '$[ageDays > 30].{"number": number, "days": ageDays}' },
];

export const SAMPLE_CATEGORIES = ['Code review', 'Inbox care'] as const;

/** Views of one source, two of them built on others. A base comes before the views built on it. */
const SAMPLE_VIEWS: readonly SampleView[] = [
  {
    title: 'Merged pull requests',
    description: 'Number, title, author and branch of everything that was merged.',
    query:
      '[$[merged_at].{"number": number, "title": title, "author": user.login, "branch": head.ref, "merged": merged_at}]',
    provider: 'github',
    entity: 'gh-pulls',
    templateKey: 'pulls-all',
    category: 'Code review',
  },
  {
    title: 'Merged by author',
    description: 'How many merged pull requests each author has, the most first.',
    query:
      '[$distinct(author).($name := $; {"author": $name, "merged": $count($$[author = $name])})^(>merged)]',
    provider: 'github',
    entity: 'gh-pulls',
    basedOn: 'Merged pull requests',
    category: 'Code review',
  },
  {
    title: 'Busy reviewers',
    description: 'Reviewers with at least three requests, open ones first.',
    query: '[$[requests >= 3]^(>open)]',
    provider: 'github',
    entity: 'gh-pulls',
    templateKey: 'pulls-review-requests',
  },
  {
    title: 'Unread mail',
    description: 'Sender, subject and date of every message that waits to be read.',
    query: '[$["UNREAD" in labelIds].{"from": from.address, "subject": subject, "date": date}]',
    provider: 'google',
    entity: 'gmail-messages',
    templateKey: 'messages-all',
    category: 'Inbox care',
  },
  {
    title: 'Unread by sender',
    description: 'Who waits for an answer, the most messages first.',
    query: '[$distinct(from).($name := $; {"from": $name, "unread": $count($$[from = $name])})^(>unread)]',
    provider: 'google',
    entity: 'gmail-messages',
    basedOn: 'Unread mail',
    category: 'Inbox care',
  },
  {
    title: 'Full labels',
    description: 'Labels with more than twenty messages.',
    query: '[$[messages > 20].{"label": name, "messages": messages, "unread": unread}]',
    provider: 'google',
    entity: 'gmail-labels',
    templateKey: 'labels-message-counts',
  },
  {
    title: 'Open pull requests',
    description: 'How many pull requests are open.',
    query: '$count($[state = "open"])',
    provider: 'github',
    entity: 'gh-pulls',
    templateKey: 'pulls-all',
    category: 'Code review',
  },
  {
    title: 'Waiting for a review',
    description:
      'Open pull requests that wait for a review, the oldest first. Choose a reviewer to see theirs.',
    query:
      '[$[$not($exists($reviewer)) or reviewer = $reviewer].{"reviewer": reviewer, "number": number, "title": title, "ageDays": ageDays}]',
    provider: 'github',
    entity: 'gh-pulls',
    templateKey: 'pulls-waiting',
    category: 'Code review',
    parameters: [{ name: 'reviewer', type: 'text', default: null }],
  },
  {
    title: 'Time to merge',
    description: 'Hours from opening to merge by month, median and 90th percentile.',
    query: '$.{"month": month, "medianHours": medianHours, "p90Hours": p90Hours}',
    provider: 'github',
    entity: 'gh-pulls',
    templateKey: 'pulls-time-to-merge',
    category: 'Code review',
  },
  {
    title: 'Opened by month',
    description: 'Pull requests opened in each month.',
    query: '$.{"month": month, "opened": opened}',
    provider: 'github',
    entity: 'gh-pulls',
    templateKey: 'pulls-by-month',
    category: 'Code review',
  },
  {
    title: 'Unread mails',
    description: 'How many messages wait to be read.',
    query: '$count($["UNREAD" in labelIds])',
    provider: 'google',
    entity: 'gmail-messages',
    templateKey: 'messages-all',
    category: 'Inbox care',
  },
  {
    title: 'Mail by hour',
    description: 'When mail arrives: messages of each weekday and hour (UTC).',
    query: '$',
    provider: 'google',
    entity: 'gmail-messages',
    templateKey: 'messages-by-hour',
    category: 'Inbox care',
  },
  {
    title: 'Mail by month',
    description: 'Messages of each month.',
    query: '$.{"month": month, "messages": messages}',
    provider: 'google',
    entity: 'gmail-messages',
    templateKey: 'messages-by-month',
    category: 'Inbox care',
  },
  {
    title: 'Failed builds',
    description: 'Runs that failed and did not pass in a later attempt, the newest first.',
    query:
      '[$[conclusion in ["failure", "timed_out"]]^(>created_at).{"workflow": name, "title": display_title, "branch": head_branch, "created_at": created_at}]',
    provider: 'github',
    entity: 'gh-runs',
    templateKey: 'runs-all',
    category: 'Code review',
  },
  {
    title: 'Builds by day',
    description: 'Runs of each day by how they ended.',
    query: '$[conclusion].{"created_at": created_at, "conclusion": conclusion, "workflow": name}',
    provider: 'github',
    entity: 'gh-runs',
    templateKey: 'runs-all',
    category: 'Code review',
  },
];

/** Returns the views of a demo workspace: those of one source, and the ready-made one of what waits for its user. */
export function sampleViews({ mailAccount, codeAccount }: SampleRecords): readonly SampleView[] {
  const accounts: Readonly<Record<string, string>> = { google: mailAccount, github: codeAccount };
  const waiting = STARTERS.filter(({ id }) => id === 'waiting').map((starter): SampleView => {
    const { title, description, jsonNataQuery, bases, ownAccounts } = starter;
    const values = Object.entries(ownAccounts).map(
      ([name, provider]) => `$${name} := ${JSON.stringify(accounts[provider] ?? '')};`,
    );
    return {
      title,
      description,
      query: `(${values.join(' ')}\n$reverse(${jsonNataQuery}))`,
      provider: 'github',
      entity: bases[0].entityLabel,
      bases: bases.map(toStoredBase),
    };
  });
  return [...SAMPLE_VIEWS, ...waiting];
}
