import { ChevronDown, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type RefObject, type SyntheticEvent, useRef } from 'react';
import { classNames } from './class-names.ts';
import { countOf } from './duration.ts';
import { Field } from './field.tsx';
import { CONTROL } from './text-field.tsx';
import { type Option, useCombobox } from './use-combobox.ts';

export type { Option };

/** Maximum height of the list, px. */
const MENU_HEIGHT = 300;

export interface SelectProps {
  label: string;
  required?: boolean;
  value: Option | null;
  options: readonly Option[];
  onChange: (option: Option | null) => void;
  onBlur?: () => void;
  placeholder?: string;
  clearable?: boolean;
  disabled?: boolean;
  /** Whether it takes the focus when its dialog opens. */
  startsFocused?: boolean;
  error?: string | undefined;
  /** The text shown when there are no options. */
  emptyText?: string | undefined;
}

interface OptionListProps {
  id: string;
  label: string;
  emptyText: string;
  /** The value of the selected option. */
  chosen: string | undefined;
  combobox: ReturnType<typeof useCombobox>;
  list: RefObject<HTMLDivElement | null>;
  onOpen: () => void;
}

const prevent = (event: Event | SyntheticEvent) => event.preventDefault();

/** The list, below or above the box, where there is more room. The focus stays in the box; a blur closes the list. */
function OptionList({ id, label, emptyText, chosen, combobox, list, onOpen }: OptionListProps) {
  const { listed, activeIndex, choose, setActive } = combobox;
  return (
    <Popover.Portal>
      <Popover.Content
        role="presentation"
        align="start"
        sideOffset={8}
        collisionPadding={8}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          onOpen();
        }}
        onCloseAutoFocus={prevent}
        onInteractOutside={prevent}
        onMouseDown={prevent}
        className="z-60 flex max-h-(--radix-popover-content-available-height) w-(--radix-popover-trigger-width) animate-fade flex-col overflow-hidden rounded-md bg-raised text-13 shadow-high"
      >
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          style={{ maxHeight: MENU_HEIGHT }}
          className={classNames('min-h-0 scroll-py-1 overflow-y-auto', listed.length > 0 && 'p-1')}
        >
          {listed.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys
            <div
              key={option.value}
              id={`${id}-option-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={option.value === chosen}
              data-selected={index === activeIndex}
              onPointerMove={() => setActive(option.value)}
              onClick={() => choose(option)}
              className="cursor-pointer wrap-anywhere rounded-sm px-2 py-1.5 touch:py-2.5 aria-selected:bg-accent-soft aria-selected:text-accent-text data-[selected=true]:bg-hover"
            >
              {option.label}
            </div>
          ))}
        </div>
        {listed.length === 0 && <p className="px-3 py-2 text-center text-ink-3">{emptyText}</p>}
      </Popover.Content>
    </Popover.Portal>
  );
}

interface SelectBoxProps {
  id: string;
  describedBy: string | undefined;
  required: boolean;
  clearable: boolean;
  disabled: boolean;
  startsFocused: boolean;
  hasError: boolean;
  onBlur: (() => void) | undefined;
  combobox: ReturnType<typeof useCombobox>;
  input: RefObject<HTMLInputElement | null>;
}

/** The box that takes the keys and shows the search. */
function SelectBox({
  id,
  describedBy,
  required,
  clearable,
  disabled,
  startsFocused,
  hasError,
  onBlur,
  combobox,
  input,
}: SelectBoxProps) {
  const { isOpen, search, listed, activeIndex, open, close } = combobox;
  return (
    <input
      ref={input}
      id={id}
      role="combobox"
      type="text"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      data-autofocus={startsFocused || undefined}
      disabled={disabled}
      aria-autocomplete="list"
      aria-expanded={isOpen}
      aria-controls={isOpen ? `${id}-list` : undefined}
      aria-activedescendant={isOpen && listed.length > 0 ? `${id}-option-${activeIndex}` : undefined}
      aria-invalid={hasError}
      aria-required={required || undefined}
      aria-describedby={classNames(`${id}-value`, describedBy)}
      value={search}
      onChange={({ target }) => combobox.onSearch(target.value)}
      onKeyDown={combobox.onKeyDown}
      onMouseDown={({ button }) => {
        if (button !== 0) return;
        if (!isOpen) open();
        else if (search === '') close();
      }}
      onBlur={() => {
        close();
        onBlur?.();
      }}
      className={classNames(CONTROL, 'h-8 cursor-pointer touch:h-10', clearable ? 'pr-14' : 'pr-8')}
    />
  );
}

function ClearButton({ label, onClear }: { label: string; onClear: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`Clear ${label}`}
      onMouseDown={prevent}
      onClick={onClear}
      className="absolute top-1 right-7 grid size-6 place-items-center touch:top-0 touch:h-10 text-ink-3 hover:text-ink"
    >
      <X aria-hidden="true" size={16} />
    </button>
  );
}

/** A select control with a search. Its list is in a portal, so that a scrolling dialog does not clip it. */
export function Select({
  label,
  required = false,
  value,
  options,
  onChange,
  onBlur,
  placeholder = 'Select...',
  clearable = false,
  disabled = false,
  startsFocused = false,
  error,
  emptyText = 'No options',
}: SelectProps) {
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const scrollTo = (index: number) => list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  const combobox = useCombobox({ value, options, onChange, clearable, onMove: scrollTo });
  const { isOpen, search, listed, activeIndex, close } = combobox;
  const clear = () => {
    onChange(null);
    input.current?.focus();
  };
  return (
    <Field label={label} isRequired={required} error={error}>
      {({ id, describedBy }) => (
        <Popover.Root open={isOpen} onOpenChange={close}>
          <Popover.Anchor className="relative">
            <SelectBox
              id={id}
              describedBy={describedBy}
              required={required}
              clearable={clearable}
              disabled={disabled}
              startsFocused={startsFocused}
              hasError={error !== undefined}
              onBlur={onBlur}
              combobox={combobox}
              input={input}
            />
            <span
              id={`${id}-value`}
              className={classNames(
                'pointer-events-none absolute inset-y-0 left-2.75 truncate text-13 leading-8 touch:leading-10',
                clearable ? 'right-14' : 'right-8',
                value && !disabled ? 'text-ink' : 'text-ink-3',
                search !== '' && 'invisible',
              )}
            >
              {value?.label ?? placeholder}
            </span>
            <ChevronDown
              aria-hidden="true"
              size={16}
              className="pointer-events-none absolute top-2 right-2 text-ink-3 touch:top-3"
            />
            {clearable && value && !disabled && <ClearButton label={label} onClear={clear} />}
            <span aria-live="polite" className="sr-only">
              {isOpen ? countOf(listed.length, 'option') : ''}
            </span>
          </Popover.Anchor>
          <OptionList
            id={id}
            label={label}
            emptyText={emptyText}
            chosen={value?.value}
            combobox={combobox}
            list={list}
            onOpen={() => scrollTo(activeIndex)}
          />
        </Popover.Root>
      )}
    </Field>
  );
}
