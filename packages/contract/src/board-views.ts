import type { Parameter } from './parameters.ts';
import { listOf, type MailSource, mailSources, type ReadyView, type WrittenView } from './ready-views.ts';
import { WAITING } from './starters.ts';

type Base = WrittenView['bases'][number];
type Texts = Pick<ReadyView, 'title' | 'description'> & { parameters?: readonly Parameter[] };

/** Returns a view over a template of GitHub. */
function codeView(
  entityLabel: string,
  templateKey: string,
  texts: Texts & { expression: string },
): ReadyView {
  const { expression, ...rest } = texts;
  const bases = [{ providerId: 'github', entityLabel, templateKey }];
  return { ...rest, needs: ['code'], write: () => ({ expression, bases }) };
}

/**
 * Returns a view over the same rows of each source of mails: `$` of a single source, else a list of all.
 * @param baseOf the base in a source
 * @param texts its expression for such rows
 */
function mailView(
  baseOf: (source: MailSource) => Base,
  { expression, ...texts }: Texts & { expression: (rows: string, sources: readonly MailSource[]) => string },
): ReadyView {
  return {
    ...texts,
    needs: ['mails'],
    write: (connected) => {
      const sources = mailSources(connected);
      const [only, ...others] = sources;
      if (only && others.length === 0) return { expression: expression('$', sources), bases: [baseOf(only)] };
      const bases = sources.map((source) => ({ ...baseOf(source), name: source.name }));
      return { expression: expression(listOf(bases), sources), bases };
    },
  };
}

/** Returns a view that builds on another one. */
function dependentView(base: ReadyView, { expression, ...texts }: Texts & { expression: string }): ReadyView {
  return {
    ...texts,
    needs: base.needs,
    basedOn: base.title,
    // Its only base is the view, of the entity that comes first there.
    write: (connected) => {
      const { name: _name, ...first } = base.write(connected).bases[0] as Base;
      return { expression, bases: [first] };
    },
  };
}

const template =
  (key: string) =>
  ({ providerId, messages, templates }: MailSource): Base => ({
    providerId,
    entityLabel: messages,
    templateKey: `${templates}-${key}`,
  });
const folders = ({ providerId, folders: base }: MailSource): Base => ({ providerId, ...base });
const unreadIn = (sources: readonly MailSource[]) =>
  [...new Set(sources.map(({ unread }) => unread))].join(' or ');

const MERGED = codeView('gh-pulls', 'pulls-all', {
  title: 'Merged pull requests',
  description: 'Number, title, author and branch of everything that was merged.',
  expression:
    '[$[merged_at].{"number": number, "title": title, "author": user.login, "branch": head.ref, "merged": merged_at}]',
});

const UNREAD = mailView(template('all'), {
  title: 'Unread mail',
  description: 'Sender, subject and date of every message that waits to be read.',
  expression: (rows, sources) =>
    `[${rows}[${unreadIn(sources)}].{"from": from.address, "subject": subject, "date": date}]`,
});

const CODE_VIEWS: readonly ReadyView[] = [
  MERGED,
  dependentView(MERGED, {
    title: 'Merged by author',
    description: 'How many merged pull requests each author has, the most first.',
    expression:
      '[$distinct(author).($name := $; {"author": $name, "merged": $count($$[author = $name])})^(>merged)]',
  }),
  codeView('gh-pulls', 'pulls-review-requests', {
    title: 'Busy reviewers',
    description: 'Reviewers with at least three requests, open ones first.',
    expression: '[$[requests >= 3]^(>open)]',
  }),
  codeView('gh-pulls', 'pulls-all', {
    title: 'Open pull requests',
    description: 'How many pull requests are open.',
    expression: '$count($[state = "open"])',
  }),
  codeView('gh-pulls', 'pulls-waiting', {
    title: 'Waiting for a review',
    description:
      'Open pull requests that wait for a review, the oldest first. Choose a reviewer to see theirs.',
    expression:
      '[$[$not($exists($reviewer)) or reviewer = $reviewer].{"reviewer": reviewer, "number": number, "title": title, "ageDays": ageDays}]',
    parameters: [{ name: 'reviewer', type: 'text', default: null }],
  }),
  codeView('gh-pulls', 'pulls-time-to-merge', {
    title: 'Time to merge',
    description: 'Hours from opening to merge by month, median and 90th percentile.',
    expression: '$.{"month": month, "medianHours": medianHours, "p90Hours": p90Hours}',
  }),
  codeView('gh-pulls', 'pulls-by-month', {
    title: 'Opened by month',
    description: 'Pull requests opened in each month.',
    expression: '$.{"month": month, "opened": opened}',
  }),
  codeView('gh-runs', 'runs-all', {
    title: 'Failed builds',
    description: 'Runs that failed and did not pass in a later attempt, the newest first.',
    expression:
      '[$[conclusion in ["failure", "timed_out"]]^(>created_at).{"workflow": name, "title": display_title, "branch": head_branch, "created_at": created_at}]',
  }),
  codeView('gh-runs', 'runs-all', {
    title: 'Builds by day',
    description: 'Runs of each day by how they ended.',
    expression: '$[conclusion].{"created_at": created_at, "conclusion": conclusion, "workflow": name}',
  }),
];

const MAIL_VIEWS: readonly ReadyView[] = [
  UNREAD,
  dependentView(UNREAD, {
    title: 'Unread by sender',
    description: 'Who waits for an answer, the most messages first.',
    expression:
      '[$distinct(from).($name := $; {"from": $name, "unread": $count($$[from = $name])})^(>unread)]',
  }),
  mailView(folders, {
    title: 'Full labels',
    description: 'Labels and mailboxes with more than twenty messages.',
    expression: (rows) => `[${rows}[messages > 20].{"label": name, "messages": messages, "unread": unread}]`,
  }),
  mailView(template('all'), {
    title: 'Unread mails',
    description: 'How many messages wait to be read.',
    expression: (rows, sources) => `$count(${rows}[${unreadIn(sources)}])`,
  }),
  mailView(template('by-hour'), {
    title: 'Mail by hour',
    description: 'When mail arrives: messages of each weekday and hour (UTC).',
    expression: (rows) => rows,
  }),
  mailView(template('by-month'), {
    title: 'Mail by month',
    description: 'Messages of each month.',
    expression: (rows) => `${rows}.{"month": month, "messages": messages}`,
  }),
];

/** The views of the ready-made boards. A view comes after the one on which it builds. */
export const BOARD_VIEWS: readonly ReadyView[] = [...CODE_VIEWS, ...MAIL_VIEWS, WAITING];
