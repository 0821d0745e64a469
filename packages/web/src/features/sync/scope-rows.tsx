import type { ScopeChoice } from '@datadeck/contract';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatAge } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/duration.ts';
import type { ChoiceGroup } from './scope-choice.ts';

interface BoxProps {
  value: string;
  tabIndex: 0 | -1;
  isChecked: boolean;
  onToggle: (value: string, isChecked: boolean) => void;
}

interface RowProps extends BoxProps {
  isDisabled?: boolean;
  children: ReactNode;
}

/** A check box with the content of its row as label. */
function Row({ value, tabIndex, isChecked, isDisabled = false, onToggle, children }: RowProps) {
  return (
    <label
      className={classNames(
        'flex min-h-9 items-start gap-2.5 rounded-sm px-2 py-2 text-13',
        !isDisabled && 'hover:bg-hover',
      )}
    >
      <input
        type="checkbox"
        className="mt-1 shrink-0 accent-accent"
        value={value}
        tabIndex={tabIndex}
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ target }) => onToggle(value, target.checked)}
      />
      <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        {children}
      </span>
    </label>
  );
}

/** Names the properties of a scope that matter for choosing it. */
function marksOf({ isPrivate, isFork, isArchived, isTrash }: ScopeChoice): string[] {
  const marks = [isPrivate && 'Private', isFork && 'Fork', isArchived && 'Archived', isTrash && 'Trash'];
  return marks.filter((mark) => mark !== false);
}

/** Describes the last change and the records of a scope: `3 days ago · 412 of 1,204 stored`. */
function factsOf({ changedAt, stored, count }: ScopeChoice): string {
  const isKnown = count !== null || stored > 0;
  const all = count === null ? '' : ` of ${formatCount(count)}`;
  return [
    changedAt === null ? '' : formatAge(changedAt),
    isKnown ? `${formatCount(stored)}${all} stored` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The name of a scope, in which its owner recedes, because it is that of all rows of the group. */
function ScopeName({ choice: { title, group } }: { choice: ScopeChoice }) {
  const owner = group !== '' && title.startsWith(`${group}/`) ? `${group}/` : '';
  return (
    <bdi className="min-w-0 wrap-anywhere">
      {owner !== '' && <span className="text-ink-3">{owner}</span>}
      {title.slice(owner.length)}
    </bdi>
  );
}

interface ScopeRowProps extends BoxProps {
  choice: ScopeChoice;
  /** Whether a chosen pattern selects it. */
  isIncluded: boolean;
}

/** A scope of the picker: its name, what it is, its last change and its records. */
export function ScopeRow({ choice, isIncluded, ...box }: ScopeRowProps) {
  return (
    <Row {...box} isChecked={box.isChecked || isIncluded} isDisabled={isIncluded}>
      <span className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-x-2 gap-y-1">
        <ScopeName choice={choice} />
        {marksOf(choice).map((mark) => (
          <Badge key={mark}>{mark}</Badge>
        ))}
        {isIncluded && <Badge tone="accent">Included</Badge>}
      </span>
      <span className="text-12 text-ink-3 tabular-nums empty:hidden">{factsOf(choice)}</span>
    </Row>
  );
}

interface PatternRowProps extends BoxProps {
  pattern: ChoiceGroup['patterns'][number];
}

/** A pattern of the picker: what it chooses, and how many that are now. */
export function PatternRow({ pattern, ...box }: PatternRowProps) {
  return (
    <Row {...box}>
      <bdi className="min-w-0 font-medium wrap-anywhere">{pattern.title}</bdi>
      <span className="text-12 text-ink-3 tabular-nums">{formatCount(pattern.count)} now</span>
    </Row>
  );
}
