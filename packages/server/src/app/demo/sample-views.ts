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

/** Six views, two of them built on others. A base comes before the views built on it. */
export const SAMPLE_VIEWS: readonly SampleView[] = [
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
];
