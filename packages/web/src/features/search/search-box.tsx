import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { countOf } from '../../ui/duration.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CONTROL } from '../../ui/text-field.tsx';
import type { Completion } from './completion.ts';
import { SEARCH_BOX_ID } from './search-box-id.ts';
import { useCompletion } from './use-completion.ts';

interface SearchBoxProps {
  text: string;
  box: RefObject<HTMLInputElement | null>;
  /** True while the user types; completions are shown only then. */
  isTyping: boolean;
  onType: (text: string) => void;
  /** Called with the finished text. */
  onFinish: (text: string) => void;
  onClear: () => void;
  /** Called when the user moves to the results. */
  onLeave: () => void;
  isInvalid: boolean;
  describedBy: string | undefined;
}

interface CompletionListProps {
  id: string;
  options: readonly Completion[];
  activeIndex: number;
  onActivate: (index: number) => void;
  onAccept: (option: Completion) => void;
}

/** The completions below the box. The focus stays in the box. */
function CompletionList({ id, options, activeIndex, onActivate, onAccept }: CompletionListProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Completions"
      className="absolute inset-x-0 top-full z-20 mt-1.5 animate-fade rounded-md bg-raised p-1 shadow-high sm:right-auto sm:w-104"
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys
        <div
          key={option.insert}
          id={`${id}-option-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === activeIndex}
          data-selected={index === activeIndex}
          onMouseDown={(event) => event.preventDefault()}
          onPointerMove={() => onActivate(index)}
          onClick={() => onAccept(option)}
          className="flex min-h-8 cursor-pointer items-center justify-between gap-3 rounded-sm px-2 text-13 text-ink data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent-text"
        >
          <bdi className="min-w-0 truncate font-mono">{option.label}</bdi>
          <span className="shrink-0 text-12 text-ink-3">{option.description}</span>
        </div>
      ))}
    </div>
  );
}

/** The box of the search, with completion of operators and values: a combobox whose list is optional. */
export function SearchBox(props: SearchBoxProps) {
  const { text, box, isTyping, onType, onFinish, onLeave, isInvalid, describedBy } = props;
  const id = useId();
  const [cursor, setCursor] = useState(text.length);
  const [isFocused, setIsFocused] = useState(false);
  const { options, part, activeIndex, activate, dismiss, isIncomplete } = useCompletion({
    text,
    cursor,
    isEnabled: isTyping && isFocused,
  });
  const isOpen = options.length > 0;

  // The place of the cursor after a completion, for when its text is in the box.
  const nextCursor = useRef<number>(undefined);
  useLayoutEffect(() => {
    const at = nextCursor.current;
    if (at === undefined) return;
    nextCursor.current = undefined;
    box.current?.setSelectionRange(at, at);
    setCursor(at);
  });

  function accept({ insert, isFinal }: Completion) {
    if (!part) return;
    const after = text.slice(part.to);
    // The completion brings the space that follows it.
    const next = text.slice(0, part.from) + insert + (isFinal ? after.trimStart() : after);
    nextCursor.current = part.from + insert.length;
    if (isFinal) onFinish(next);
    else onType(next);
  }

  function onArrow(step: 1 | -1): boolean {
    if (!isOpen) {
      if (step === 1) onLeave();
      return step === 1;
    }
    if (activeIndex + step >= options.length) {
      dismiss();
      onLeave();
    } else activate(Math.max(-1, activeIndex + step));
    return true;
  }

  /** Handles a key; returns whether it was handled. */
  function handle(key: string): boolean {
    const active = options[activeIndex];
    const first = active ?? options[0];
    if (key === 'ArrowDown') return onArrow(1);
    if (key === 'ArrowUp') return onArrow(-1);
    if (key === 'Escape' && isOpen) dismiss();
    else if (key === 'Tab' && first) accept(first);
    else if (key === 'Enter' && (active || (first && isIncomplete))) accept(active ?? (first as Completion));
    else if (key === 'Enter') onFinish(text);
    else return false;
    return true;
  }

  function onKeyDown(event: KeyboardEvent) {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (event.nativeEvent.isComposing || hasModifier) return;
    if (handle(event.key)) event.preventDefault();
  }

  return (
    <div className="relative">
      <Search
        aria-hidden="true"
        size={18}
        className="pointer-events-none absolute top-2.75 left-3 text-ink-3"
      />
      <input
        ref={box}
        id={SEARCH_BOX_ID}
        type="text"
        role="combobox"
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search all records"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={activeIndex >= 0 ? `${id}-option-${activeIndex}` : undefined}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        placeholder="Search mail and work"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setCursor(target.selectionStart ?? target.value.length);
          onType(target.value);
        }}
        onSelect={({ currentTarget }) =>
          setCursor(currentTarget.selectionStart ?? currentTarget.value.length)
        }
        onFocus={() => setIsFocused(true)}
        onBlur={() => {
          setIsFocused(false);
          dismiss();
        }}
        onKeyDown={onKeyDown}
        className={classNames(CONTROL, 'h-10 pr-10 pl-10 text-14')}
      />
      {text !== '' && (
        <IconButton
          label="Clear the search"
          icon={<X size={16} />}
          className="absolute top-1 right-1"
          onClick={() => {
            props.onClear();
            box.current?.focus();
          }}
        />
      )}
      {isOpen && (
        <CompletionList
          id={id}
          options={options}
          activeIndex={activeIndex}
          onActivate={activate}
          onAccept={accept}
        />
      )}
      <span aria-live="polite" className="sr-only">
        {isOpen ? countOf(options.length, 'completion') : ''}
      </span>
    </div>
  );
}
