import { ChevronRight, Plus, Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { countOf } from '../../../ui/duration.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { isMembers, listAt, membersAt, type Path, pathText } from '../document/document-text.ts';
import { freeName, renameMember } from '../document/rename.ts';
import { useDocumentForm, useField, useRemoveItem } from './form-context.ts';
import { NameField } from './name-field.tsx';
import { useFolded } from './use-folded.ts';
import { TextValue } from './values.tsx';

/** A title above rows, with a button that adds one. */
export function RowsHead({
  title,
  hint,
  add,
  onAdd,
}: {
  title: string;
  hint?: ReactNode;
  add: string;
  onAdd: () => void;
}) {
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="min-w-0">
        <h3 className="text-13 font-medium text-ink-2">{title}</h3>
        {hint !== undefined && <p className="text-12 text-ink-3">{hint}</p>}
      </div>
      <Button size="sm" icon={<Plus size={14} />} onClick={onAdd}>
        {add}
      </Button>
    </div>
  );
}

interface MemberRowsProps {
  path: Path;
  title: string;
  hint?: ReactNode;
  /** What a row is, e.g. `Parameter`. */
  label: string;
  /** Name and value of a new row. */
  newName: string;
  newValue: unknown;
  /** Path of the expression below the member; the member itself by default. */
  valueStep?: string;
  /** Renames a member and what refers to it; only the member by default. */
  onRename?: (before: string, after: string) => void;
  /** Where expressions may name a member. */
  usedAs?: readonly { within: Path; prefix: string }[];
  /** Shown between the name and the expression. */
  children?: (path: Path, name: string) => ReactNode;
}

/** Members with names that a person chooses, such as query parameters and columns. */
export function MemberRows({
  path,
  title,
  hint,
  label,
  newName,
  newValue,
  valueStep,
  onRename,
  usedAs,
  children,
}: MemberRowsProps) {
  const { document, edit } = useDocumentForm();
  const { at, problem } = useField(path);
  const members = membersAt(document, path);
  const names = Object.keys(members);
  const columns =
    children === undefined
      ? 'grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]'
      : 'grid-cols-[minmax(0,1fr)_6.5rem_auto] @min-[34rem]:grid-cols-[minmax(0,2fr)_6.5rem_minmax(0,3fr)_auto]';
  return (
    <div className="flex flex-col gap-2" data-path={at}>
      <RowsHead
        title={title}
        hint={hint}
        add={`Add ${label.toLowerCase()}`}
        onAdd={() => edit([...path, freeName(newName, names)], newValue)}
      />
      {problem !== undefined && <p className="text-12 text-error-text">{problem}</p>}
      {names.length > 0 && (
        <ul aria-label={title} className="flex flex-col gap-2">
          {names.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps the focus while its name changes
            <li key={index} className={`grid items-start gap-2 ${columns}`}>
              <NameField
                label={`${label} ${name}: name`}
                isLabelHidden
                name={name}
                taken={names}
                path={[...path, name]}
                {...(usedAs && { usedAs })}
                onRename={(next) =>
                  onRename ? onRename(name, next) : edit(path, renameMember(members, name, next))
                }
              />
              {children?.([...path, name], name)}
              <div
                className={
                  children && 'order-last col-span-3 @min-[34rem]:order-none @min-[34rem]:col-span-1'
                }
              >
                <TextValue
                  path={valueStep === undefined ? [...path, name] : [...path, name, valueStep]}
                  label={`${label} ${name}: expression`}
                  isLabelHidden
                  required
                  isExpression
                />
              </div>
              <IconButton
                label={`Remove ${name}`}
                icon={<X size={16} />}
                onClick={() => edit([...path, name], undefined)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FoldedProps {
  title: string;
  note: string;
  problems: number;
  isOpen: boolean;
  /** Path in the document. */
  at: string;
  children: ReactNode;
}

/** An item that shows its title until it is opened. */
function Folded({ title, note, problems, isOpen, at, children }: FoldedProps) {
  const { details, isRendered } = useFolded(isOpen);
  return (
    <details {...details} data-path={at} className="group/item">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 rounded-sm px-3 py-1.5 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          size={14}
          className="shrink-0 text-ink-3 transition-transform duration-150 group-open/item:rotate-90"
        />
        <span className="min-w-0 shrink-0 max-w-2/3 truncate text-13 font-medium">{title}</span>
        <span className="min-w-0 flex-1 truncate text-12 text-ink-3">{note}</span>
        {problems > 0 && <Badge tone="error">{countOf(problems, 'problem')}</Badge>}
      </summary>
      {isRendered && <div className="border-t p-3">{children}</div>}
    </details>
  );
}

interface ItemRowsProps {
  path: Path;
  title: string;
  hint?: ReactNode;
  /** What an item is, e.g. `Field`. */
  label: string;
  newItem: unknown;
  /** Returns the name of an item. */
  nameOf: (item: Record<string, unknown>) => string;
  /** Folds each item, and shows this beside its name. */
  noteOf?: (item: Record<string, unknown>) => string;
  children: (path: Path, item: Record<string, unknown>, index: number) => ReactNode;
}

/** The items of a list, each in a frame of its own. */
export function ItemRows({ path, title, hint, label, newItem, nameOf, noteOf, children }: ItemRowsProps) {
  const { document, edit, problems } = useDocumentForm();
  const { at, problem } = useField(path);
  const removeItem = useRemoveItem(path);
  const items = listAt(document, path);
  // A new item begins open.
  const [known] = useState(items.length);
  return (
    <div className="flex flex-col gap-2" data-path={at}>
      <RowsHead
        title={title}
        hint={hint}
        add={`Add ${label.toLowerCase()}`}
        onAdd={() => edit([...path, items.length], newItem)}
      />
      {problem !== undefined && <p className="text-12 text-error-text">{problem}</p>}
      {items.map((given, index) => {
        const item = isMembers(given) ? given : {};
        const name = nameOf(item);
        const itemAt = pathText([...path, index]);
        const itemProblem = problems.find((one) => one.path === itemAt)?.message;
        const removal = `Remove ${name === '' ? label.toLowerCase() : name}`;
        const fields = (
          <div className="grid min-w-0 flex-1 gap-3 @min-[34rem]:grid-cols-2">
            {children([...path, index], item, index)}
          </div>
        );
        const fault = itemProblem !== undefined && (
          <p className="mt-2 text-12 text-error-text">{itemProblem}</p>
        );
        return (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: an item keeps the focus while its name changes
            key={index}
            data-path={noteOf === undefined ? itemAt : undefined}
            className={classNames('min-w-0 rounded-sm border', noteOf === undefined && 'p-3')}
          >
            <legend className="sr-only">{`${label} ${name}`}</legend>
            {noteOf === undefined ? (
              <>
                <div className="flex items-start gap-2">
                  {fields}
                  <IconButton label={removal} icon={<X size={16} />} onClick={() => removeItem(index)} />
                </div>
                {fault}
              </>
            ) : (
              <Folded
                title={name === '' ? `${label} ${index + 1}` : name}
                note={noteOf(item)}
                problems={
                  problems.filter(({ path: one }) => one === itemAt || one.startsWith(`${itemAt}.`)).length
                }
                isOpen={index >= known}
                at={itemAt}
              >
                {fields}
                {fault}
                <Button
                  size="sm"
                  variant="danger"
                  className="mt-4"
                  icon={<Trash2 size={14} />}
                  onClick={() => removeItem(index)}
                >
                  Remove {label.toLowerCase()}
                  <span className="sr-only"> {name}</span>
                </Button>
              </Folded>
            )}
          </fieldset>
        );
      })}
    </div>
  );
}
