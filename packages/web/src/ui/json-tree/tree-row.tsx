import { ChevronRight, Copy, History, Link, type LucideIcon } from 'lucide-react';
import { memo, useState } from 'react';
import { classNames } from '../class-names.ts';
import { isContainer, type TreeRow } from './flatten.ts';

/** Maximum characters of a text in its line; most screens show fewer. */
const MAX_LINE_LENGTH = 160;
/** Maximum characters of a member in the line of its object. */
const MAX_MEMBER_LENGTH = 32;

const NONE: readonly string[] = [];

/** Matches letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Isolates right-to-left text, so that it does not reorder the text around it. */
const isolated = (text: string) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

const cut = (text: string) =>
  isolated(text.length > MAX_MEMBER_LENGTH ? `${text.slice(0, MAX_MEMBER_LENGTH)}…` : text);

/** Returns a member's value in short form. */
const shortForm = (member: unknown) => (member === '' ? '""' : cut(String(member)));

/** Joins some members of an object in braces, with the number of omitted ones. */
function inBraces(parts: readonly string[], size: number): string {
  const more = size - parts.length;
  return `{${parts.join(', ')}${more > 0 ? `, … ${more} more` : ''}}`;
}

/** Returns the text of a line. For an object: up to three plain members, the most useful first, or else member names. */
function preview(row: TreeRow, preferred: readonly string[]): string {
  const { value } = row;
  if (Array.isArray(value)) return `[${row.size}]`;
  if (isContainer(value)) {
    const plain = new Map(Object.entries(value).filter(([, member]) => !isContainer(member)));
    const names = new Set([...preferred.filter((name) => plain.has(name)), ...plain.keys()]);
    const shown = [...names].map((name) => [name, plain.get(name)] as const);
    const parts = shown.slice(0, 3).map(([name, member]) => `${isolated(name)}: ${shortForm(member)}`);
    return parts.length > 0 ? inBraces(parts, row.size) : inBraces(Object.keys(value).slice(0, 3), row.size);
  }
  if (typeof value === 'string') {
    const text =
      value.length > MAX_LINE_LENGTH && !row.isOpen ? `${value.slice(0, MAX_LINE_LENGTH)}…` : value;
    return `"${text}"`;
  }
  return String(value);
}

function colourOf(value: unknown): string {
  if (typeof value === 'string') return 'text-success-text';
  if (typeof value === 'number') return 'text-accent-text tabular-nums';
  if (typeof value === 'boolean' || value === null) return 'text-secondary-text';
  return 'text-ink-3';
}

export interface TreeRowActions {
  onToggle: (row: TreeRow) => void;
  onCopyValue: (row: TreeRow) => void;
  onCopyPath: (row: TreeRow) => void;
  /** Returns the name of an item with a history; undefined for other lines. */
  historyName: (row: TreeRow) => string | undefined;
  onHistory: (row: TreeRow) => void;
  onPick: ((row: TreeRow) => void) | undefined;
  /** Names of the most useful members of the tree's items. */
  preferred: readonly string[];
}

function Tool({ label, hint, icon: Icon, onUse }: ToolProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      title={hint}
      className="grid size-5 place-items-center rounded-sm text-ink-3 hover:bg-line hover:text-ink"
      onClick={onUse}
    >
      <Icon aria-hidden="true" size={12} />
      <span className="sr-only">{label}</span>
    </button>
  );
}

/** Indent per level, px. */
export const INDENT = 16;

interface ToolProps {
  label: string;
  /** Tooltip: what the tool does, and its key. */
  hint: string;
  icon: LucideIcon;
  onUse: () => void;
}

function Tools({ row, actions }: { row: TreeRow; actions: TreeRowActions }) {
  const name = actions.historyName(row);
  return (
    <span className="mt-0.5 flex shrink-0 gap-0.5">
      {name !== undefined && (
        <Tool
          label={`History of ${name}`}
          hint="History (H)"
          icon={History}
          onUse={() => actions.onHistory(row)}
        />
      )}
      <Tool label="Copy value" hint="Copy value (C)" icon={Copy} onUse={() => actions.onCopyValue(row)} />
      <Tool label="Copy path" hint="Copy path (P)" icon={Link} onUse={() => actions.onCopyPath(row)} />
    </span>
  );
}

interface TreeRowContentProps {
  row: TreeRow;
  isActive: boolean;
  actions: TreeRowActions;
}

/** The content of one line: arrow, key, value, and tools on hover. Memoised, because scrolling moves many lines. */
export const TreeRowContent = memo(function TreeRowContent({ row, isActive, actions }: TreeRowContentProps) {
  const [isHovered, setIsHovered] = useState(false);
  const key = row.path.at(-1);
  const isText = typeof row.value === 'string' && row.isOpen;
  return (
    <div
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      className={classNames(
        'flex min-h-6 items-start gap-1 rounded-sm pr-1 font-mono text-12 leading-6',
        isActive ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
      style={{ paddingLeft: 4 + row.depth * INDENT }}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        onClick={() => actions.onToggle(row)}
        className={classNames(
          'grid h-6 w-4 shrink-0 place-items-center text-ink-3',
          !row.canOpen && 'invisible',
        )}
      >
        <ChevronRight
          size={12}
          className={classNames('transition-transform duration-100', row.isOpen && 'rotate-90')}
        />
      </button>
      {actions.onPick && typeof key === 'string' ? (
        <button
          type="button"
          tabIndex={-1}
          title="Insert this field into the expression"
          onClick={() => actions.onPick?.(row)}
          className="shrink-0 text-ink hover:text-accent-text hover:underline"
        >
          {key}
        </button>
      ) : (
        <span className={classNames('shrink-0', typeof key === 'number' ? 'text-ink-3' : 'text-ink')}>
          {key}
        </span>
      )}
      <span className="text-ink-3">:</span>
      <span
        dir={typeof row.value === 'string' ? 'auto' : undefined}
        className={classNames(
          'min-w-0 flex-1 text-left',
          isText ? 'whitespace-pre-wrap break-words' : 'truncate',
          colourOf(row.value),
        )}
      >
        {preview(row, row.depth === 0 ? actions.preferred : NONE)}
      </span>
      {(isActive || isHovered) && <Tools row={row} actions={actions} />}
    </div>
  );
});
