import { ChevronRight, Copy, History, Link, type LucideIcon } from 'lucide-react';
import { memo, useState } from 'react';
import { classNames } from '../class-names.ts';
import { isContainer, type TreeRow } from './flatten.ts';

/** Characters of a text that its line holds, of which most screens show fewer. */
const LINE = 160;
/** Characters of a member that the line of its object shows. */
const GLIMPSE = 32;

const NONE: readonly string[] = [];

/** Letters that are read from the right. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Keeps words that are read from the right from taking along what stands beside them. */
const isolated = (text: string) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

const cut = (text: string) => isolated(text.length > GLIMPSE ? `${text.slice(0, GLIMPSE)}…` : text);

/** A member of an object at a glance. */
const glimpse = (member: unknown) => (member === '' ? '""' : cut(String(member)));

/** Some members of an object, and how many more it has. */
function inBraces(parts: readonly string[], size: number): string {
  const more = size - parts.length;
  return `{${parts.join(', ')}${more > 0 ? `, … ${more} more` : ''}}`;
}

/** What a line says of its value; of an object those plain members that people look at first, then its first ones, or else the names of its first ones. */
function preview(row: TreeRow, preferred: readonly string[]): string {
  const { value } = row;
  if (Array.isArray(value)) return `[${row.size}]`;
  if (isContainer(value)) {
    const plain = new Map(Object.entries(value).filter(([, member]) => !isContainer(member)));
    const names = new Set([...preferred.filter((name) => plain.has(name)), ...plain.keys()]);
    const shown = [...names].map((name) => [name, plain.get(name)] as const);
    const parts = shown.slice(0, 3).map(([name, member]) => `${isolated(name)}: ${glimpse(member)}`);
    return parts.length > 0 ? inBraces(parts, row.size) : inBraces(Object.keys(value).slice(0, 3), row.size);
  }
  if (typeof value === 'string') {
    const text = value.length > LINE && !row.isOpen ? `${value.slice(0, LINE)}…` : value;
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
  /** The name of what has a history; undefined for any other line. */
  historyName: (row: TreeRow) => string | undefined;
  onHistory: (row: TreeRow) => void;
  onPick: ((row: TreeRow) => void) | undefined;
  /** Members of the tree's own values that people look at first. */
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

/** Pixels by which each level stands further in. */
export const INDENT = 16;

interface ToolProps {
  label: string;
  /** What it does, and its key. */
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

/** The content of one line: arrow, key, value, and the tools that show on hover. Drawn again only when it changes, since a scroll moves many. */
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
