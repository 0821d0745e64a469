import type { PullDetails } from '@datadeck/contract';
import { Mail } from 'lucide-react';
import { Link } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { countOf, formatCount } from '../../ui/duration.ts';
import { PullBadges } from './pull-badges.tsx';

/** Facts of the reading that the header shows. */
export const PULL_HEADER_FACTS: ReadonlySet<string> = new Set(['Pull request', 'State', 'Labels']);

/** Returns a search for the mails that GitHub sends about a pull request: `[octocat/hello] Fix typo (PR #42)`. */
function mailSearchOf(reference: string): string | undefined {
  const [, repository, number] = /^([\w.-]{1,100}\/[\w.-]{1,100}) #(\d+)$/.exec(reference) ?? [];
  return repository && `subject:"${repository}" subject:"#${number}"`;
}

/** The numbers of a pull request, as far as they are stored. */
function Numbers({ pull }: { pull: PullDetails }) {
  const { additions, deletions, changedFiles, commits, comments } = pull;
  const counted = [
    changedFiles === null ? '' : countOf(changedFiles, 'file'),
    commits === null ? '' : countOf(commits, 'commit'),
    comments === null ? '' : countOf(comments, 'comment'),
  ].filter(Boolean);
  return (
    <span className="flex flex-wrap gap-x-3 text-13 text-ink-2 tabular-nums">
      {additions !== null && (
        <span className="text-success-text">
          <span aria-hidden="true">+{formatCount(additions)}</span>
          <span className="sr-only">{countOf(additions, 'line')} added</span>
        </span>
      )}
      {deletions !== null && (
        <span className="text-error-text">
          <span aria-hidden="true">−{formatCount(deletions)}</span>
          <span className="sr-only">{countOf(deletions, 'line')} removed</span>
        </span>
      )}
      {counted.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </span>
  );
}

/** A label with a dot of its colour: any colour may be behind it, so that the text keeps the contrast of the page. */
function Label({ name, color }: PullDetails['labels'][number]) {
  return (
    <li className="inline-flex h-5 max-w-64 items-center gap-1.5 rounded-full border px-2 text-12 text-ink-2">
      {color !== null && (
        <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0 stroke-line-strong">
          <circle cx="5" cy="5" r="4.5" fill={`#${color}`} />
        </svg>
      )}
      <bdi className="truncate">{name}</bdi>
    </li>
  );
}

/** What a pull request is: its place, state, numbers and labels. @param url its page at the provider */
export function PullHeader({ pull, url }: { pull: PullDetails; url: string | null }) {
  const mails = mailSearchOf(pull.reference);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="inline-flex flex-wrap gap-1">
          <PullBadges pull={pull} />
        </span>
        {url === null ? (
          <bdi className="text-13 font-medium wrap-anywhere">{pull.reference}</bdi>
        ) : (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className="rounded-sm text-13 font-medium text-accent-text wrap-anywhere hover:underline"
          >
            <bdi>{pull.reference}</bdi>
          </a>
        )}
        <Numbers pull={pull} />
      </div>
      {pull.labels.length > 0 && (
        <ul aria-label="Labels" className="flex flex-wrap gap-1">
          {pull.labels.map((label) => (
            <Label key={label.name} {...label} />
          ))}
        </ul>
      )}
      {mails !== undefined && (
        <Link
          to={withSearch(PATHS.search, { q: mails })}
          className="inline-flex items-center gap-1.5 self-start rounded-sm text-13 text-accent-text hover:underline"
        >
          <Mail aria-hidden="true" size={14} />
          Find mails about it
        </Link>
      )}
    </div>
  );
}
