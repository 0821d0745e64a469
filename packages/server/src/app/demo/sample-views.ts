export const SAMPLE_QUERIES: readonly { title: string; query: string }[] = [
  { title: 'Only unread', query: '$["UNREAD" in labelIds].{"from": from.address, "subject": subject}' },
  { title: 'Subjects', query: '$.subject' },
  { title: 'Count of rows', query: '{"rows": $count($)}' },
  { title: 'Merged titles', query: '$[merged_at].{"number": number, "title": title}' },
  { title: 'Group by author', query: '$^(user.login){user.login: $count(title)}' },
  { title: 'Long lived', query: '$[ageDays > 30].{"number": number, "days": ageDays}' },
];

/** The categories of the demo workspace, with the titles of their views. */
export const SAMPLE_CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  'Code review': [
    'Merged pull requests',
    'Merged by author',
    'Open pull requests',
    'Waiting for a review',
    'Time to merge',
    'Opened by month',
    'Failed builds',
    'Builds by day',
  ],
  'Inbox care': ['Unread mail', 'Unread by sender', 'Unread mails', 'Mail by hour', 'Mail by month'],
};
