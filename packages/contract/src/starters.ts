import { type ConnectedProviders, listOf, mailSources, messagesOf, type ReadyView } from './ready-views.ts';
import type { SavedBase } from './views.ts';

const github = (name: string, entityLabel: string, templateKey: string): SavedBase => ({
  name,
  providerId: 'github',
  entityLabel,
  templateKey,
});

const mailBases = (connected: ConnectedProviders) => mailSources(connected).map(messagesOf);

const ASKED = `
  /* Reviews: of the accounts whose pull requests are here. */
  $logins := $distinct([$reviews.account]);
  $asked := $reviews[reviewer in $logins].{
    "kind": "Review", "title": title, "from": author, "since": created, "where": repository & "#" & number
  };`;

/**
 * A mail waits if it is in an inbox, of someone else who reads answers, and the last of its conversation. Gmail names
 * conversations. By IMAP a mail is answered when it is marked so, or when another mail names it in In-Reply-To.
 */
const openMails = (mails: string) => `
  $mails := ${mails}.{
    "id": messageId, "answers": inReplyTo, "thread": threadId ? threadId : "", "account": account,
    "inbox": "INBOX" in labelIds or mailbox = "INBOX", "done": "\\\\Answered" in flags,
    "subject": subject, "name": from.name, "address": from.address, "date": date
  };
  /* Your addresses. Add others: [$mails.account, "me@example.org"] */
  $own := $distinct([$mails.account]).$lowercase($);
  $machine := /^(no-?reply|do-?not-?reply|notifications?|mailer-daemon)/i;
  /* The newest mail of each conversation in Gmail; elsewhere those that no mail answers. */
  $newest := $mails[thread != ""]{thread: $[0]};
  $answered := $mails[answers and answers != id]{answers: 1};
  $others := $mails[thread = "" and $not(done) and $not($exists($lookup($answered, id)))];
  $open := [$newest.*, $others][
    inbox and $not($lowercase(address) in $own) and $not($contains(address, $machine))
  ].{"kind": "Mail", "title": subject, "from": name, "since": date, "where": address};`;

/** Reviews and mails, or those of them that the person has connected. */
export const WAITING: ReadyView = {
  title: 'Waiting for me',
  description:
    'Reviews that others ask of me, and conversations in my inboxes whose last mail I did not write, the newest first.',
  needs: ['code', 'mails'],
  isDivisible: true,
  write: (connected) => {
    const hasCode = connected.has('github');
    const mails = mailBases(connected);
    const parts = [...(hasCode ? ['$asked'] : []), ...(mails.length > 0 ? ['$open'] : [])];
    return {
      expression: `(${hasCode ? ASKED : ''}${mails.length > 0 ? openMails(listOf(mails)) : ''}
  [[${parts.join(', ')}]^(>since)]
)`,
      bases: [...(hasCode ? [github('reviews', 'gh-pulls', 'pulls-waiting')] : []), ...mails],
    };
  },
};

const OF_PULL: ReadyView = {
  title: 'Mails about this pull request',
  description:
    'The notifications of GitHub about one pull request, and the answers to them, with its state, the newest first.',
  needs: ['code', 'mails'],
  parameters: [
    { name: 'repository', type: 'text', default: null },
    { name: 'pull', type: 'number', default: null },
  ],
  write: (connected) => {
    const mails = mailBases(connected);
    return {
      expression: `(
  $mails := ${listOf(mails)};
  /* GitHub's first mail about a pull request has this id, and the later ones answer it. */
  $id := "<" & $repository & "/pull/" & $pull & "@github.com>";
  $about := $pulls[number = $pull and base.repo.full_name = $repository];
  /* Copies of a mail in several mailboxes are one. */
  [$distinct($mails[$id in [messageId, inReplyTo]].{
    "date": date, "from": from.name, "subject": subject, "text": snippet,
    "pull": $about[0].title, "state": $about[0].state
  })^(>date)]
)`,
      bases: [github('pulls', 'gh-pulls', 'pulls-all'), ...mails],
    };
  },
};

const PEOPLE: ReadyView = {
  title: 'People',
  description:
    'Commits and mails of each person by address. Edit the query to say which addresses are one person.',
  needs: ['code', 'mails'],
  write: (connected) => {
    const mails = mailBases(connected);
    return {
      expression: `(
  /* Further addresses of a person, in small letters, each with the one to show. */
  $same := {"old@example.org": "new@example.org"};
  $person := function($address) {(
    $own := $lowercase($address);
    $shown := $lookup($same, $own);
    $shown ? $shown : $own
  )};
  $commits := $commits[commit.author.email].{
    "person": $person(commit.author.email), "name": commit.author.name, "date": commit.author.date
  };
  $mails := ${listOf(mails)}[from.address].{
    "person": $person(from.address), "name": from.name, "date": date, "id": messageId ? messageId : id
  }^(>date);
  $code := $commits{person: {"name": $[0].name, "commits": $count($), "last": $[0].date}};
  /* Copies of a mail in several mailboxes count once. */
  $mail := $mails{person: {"name": $[0].name, "mails": $count($distinct(id)), "last": $[0].date}};
  [$keys($merge([$code, $mail])).(
    $c := $lookup($code, $);
    $m := $lookup($mail, $);
    {
      "person": $c ? $c.name : $m.name, "address": $,
      "commits": $c ? $c.commits : 0, "lastCommit": $c.last,
      "mails": $m ? $m.mails : 0, "lastMail": $m.last
    }
  )^(>commits, >mails, address)]
)`,
      bases: [github('commits', 'gh-commits', 'commits-all'), ...mails],
    };
  },
};

/** The ready-made views that are offered on the Views screen. */
export const STARTERS: readonly ReadyView[] = [WAITING, OF_PULL, PEOPLE];
