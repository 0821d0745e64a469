import { Search, X } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CONTROL } from '../../ui/text-field.tsx';
import { SEARCH_BOX_ID } from './search-box-id.ts';

interface SearchBoxProps {
  text: string;
  box: RefObject<HTMLInputElement | null>;
  onType: (text: string) => void;
  /** Called with the finished text. */
  onCommit: (text: string) => void;
  /** Called when the user goes on to the results. */
  onLeave: () => void;
  isInvalid: boolean;
  describedBy: string | undefined;
}

/** The box of the search. */
export function SearchBox({ text, box, onType, onCommit, onLeave, isInvalid, describedBy }: SearchBoxProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') onCommit(text);
    else if (event.key === 'ArrowDown') onLeave();
    else return;
    event.preventDefault();
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
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search all records"
        placeholder="Search mails and pull requests"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        value={text}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={onKeyDown}
        className={classNames(CONTROL, 'h-10 pr-10 pl-10 text-14')}
      />
      {text !== '' && (
        <IconButton
          label="Clear the search"
          icon={<X size={16} />}
          className="absolute top-1 right-1"
          onClick={() => {
            onCommit('');
            box.current?.focus();
          }}
        />
      )}
    </div>
  );
}
