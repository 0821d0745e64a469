import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { freeName, isMembers, listAt, membersAt, type Path, withName } from '../document/document-text.ts';
import { useDocumentForm, useField } from './form-context.ts';
import { TextValue } from './values.tsx';

interface NameBoxProps {
  /** What has the name, e.g. `Column`. */
  label: string;
  name: string;
  taken: readonly string[];
  onRename: (name: string) => void;
}

/** The name of a member. It is set when the box is left, since a name on the way may be that of another member. */
function NameBox({ label, name, taken, onRename }: NameBoxProps) {
  const [typed, setTyped] = useState<string>();
  const text = typed ?? name;
  const error =
    text === '' ? 'Required' : text !== name && taken.includes(text) ? 'There is one already' : undefined;
  const finish = () => {
    if (typed !== undefined && error === undefined && typed !== name) onRename(typed);
    setTyped(undefined);
  };
  return (
    <TextField
      label={`${label} ${name}: name`}
      isLabelHidden
      spellCheck={false}
      autoCapitalize="off"
      className="font-mono text-12!"
      value={text}
      error={error}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === 'Enter') finish();
      }}
    />
  );
}

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
              <NameBox
                label={label}
                name={name}
                taken={names}
                onRename={(next) => edit(path, withName(members, name, next))}
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
                  isCode
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

interface ItemRowsProps {
  path: Path;
  title: string;
  hint?: ReactNode;
  /** What an item is, e.g. `Field`. */
  label: string;
  newItem: unknown;
  /** Returns the name of an item. */
  nameOf: (item: Record<string, unknown>) => string;
  children: (path: Path, item: Record<string, unknown>) => ReactNode;
}

/** The items of a list, each in a frame of its own. */
export function ItemRows({ path, title, hint, label, newItem, nameOf, children }: ItemRowsProps) {
  const { document, edit } = useDocumentForm();
  const { at, problem } = useField(path);
  const items = listAt(document, path);
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
        return (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: an item keeps the focus while its name changes
            key={index}
            data-path={[...path, index].join('.')}
            className="rounded-sm border p-3"
          >
            <legend className="sr-only">{`${label} ${name}`}</legend>
            <div className="flex items-start gap-2">
              <div className="grid min-w-0 flex-1 gap-3 @min-[34rem]:grid-cols-2">
                {children([...path, index], item)}
              </div>
              <IconButton
                label={`Remove ${name === '' ? label.toLowerCase() : name}`}
                icon={<X size={16} />}
                onClick={() => edit([...path, index], undefined)}
              />
            </div>
          </fieldset>
        );
      })}
    </div>
  );
}
