import type { Parameter } from './parameters.ts';
import type { SavedBase } from './views.ts';

/** A ready-made view of several bases, which a person saves as their own and then changes. */
export interface Starter {
  id: string;
  title: string;
  description: string;
  jsonNataQuery: string;
  /** Its bases; the first one is that of the view. */
  bases: readonly [SavedBase, ...SavedBase[]];
  parameters: readonly Parameter[];
  /** Parameters whose value is the person's account at a provider: `{ login: 'github' }`. */
  ownAccounts: Readonly<Record<string, string>>;
}

const MAILS: SavedBase = {
  name: 'mails',
  providerId: 'google',
  entityLabel: 'gmail-messages',
  templateKey: 'messages-all',
};

const WAITING = `(
  /* The newest mail of each conversation, if it is in the inbox and of someone else, who reads answers. */
  $machine := /^(no-?reply|do-?not-?reply|notifications?|mailer-daemon)/i;
  $threads := $mails{threadId: $[0]};
  $open := $each($threads, function($mail) {
    $mail[
      "INBOX" in labelIds and $lowercase(from.address) != $lowercase($address)
      and $not($contains(from.address, $machine))
    ].{
      "kind": "Mail", "title": subject, "from": from.name, "since": date, "where": from.address
    }
  });
  $asked := $reviews[reviewer = $login].{
    "kind": "Review", "title": title, "from": author, "since": created, "where": repository & "#" & number
  };
  [$append($asked, $open)^(since)]
)`;

const OF_PULL = `(
  /* GitHub's first mail about a pull request has this id, and the later ones answer it. */
  $id := "<" & $repository & "/pull/" & $pull & "@github.com>";
  $about := $pulls[number = $pull and base.repo.full_name = $repository];
  [$mails[$id in [messageId, inReplyTo]].{
    "date": date, "from": from.name, "subject": subject, "text": snippet,
    "pull": $about.title, "state": $about.state
  }]
)`;

const PEOPLE = `(
  /* Further addresses of a person, in small letters, each with the one to show. */
  $same := {"old@example.org": "new@example.org"};
  $person := function($address) {(
    $own := $lowercase($address);
    $shown := $lookup($same, $own);
    $shown ? $shown : $own
  )};
  $code := $commits[commit.author.email]{$person(commit.author.email): {
    "name": $[0].commit.author.name, "commits": $count($), "last": $[0].commit.author.date
  }};
  $mail := $mails[from.address]{$person(from.address): {
    "name": $[0].from.name, "mails": $count($), "last": $[0].date
  }};
  [$keys($merge([$code, $mail])).(
    $c := $lookup($code, $);
    $m := $lookup($mail, $);
    {
      "person": $c ? $c.name : $m.name, "address": $,
      "commits": $c ? $c.commits : 0, "lastCommit": $c.last,
      "mails": $m ? $m.mails : 0, "lastMail": $m.last
    }
  )^(>commits, >mails, address)]
)`;

/** The ready-made views that are offered on the Views screen. */
export const STARTERS: readonly Starter[] = [
  {
    id: 'waiting',
    title: 'Waiting for me',
    description:
      'Reviews that others ask of me, and conversations in my inbox whose last mail I did not write.',
    jsonNataQuery: WAITING,
    bases: [
      { name: 'reviews', providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-waiting' },
      MAILS,
    ],
    parameters: [
      { name: 'login', type: 'text', default: null },
      { name: 'address', type: 'text', default: null },
    ],
    ownAccounts: { login: 'github', address: 'google' },
  },
  {
    id: 'of-pull',
    title: 'Mails about this pull request',
    description:
      'The notifications of GitHub about one pull request, and the answers to them, with its state.',
    jsonNataQuery: OF_PULL,
    bases: [
      { name: 'pulls', providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-all' },
      MAILS,
    ],
    parameters: [
      { name: 'repository', type: 'text', default: null },
      { name: 'pull', type: 'number', default: null },
    ],
    ownAccounts: {},
  },
  {
    id: 'people',
    title: 'People',
    description:
      'Commits and mails of each person by address. Edit the query to say which addresses are one person.',
    jsonNataQuery: PEOPLE,
    bases: [
      { name: 'commits', providerId: 'github', entityLabel: 'gh-commits', templateKey: 'commits-all' },
      MAILS,
    ],
    parameters: [],
    ownAccounts: {},
  },
];
