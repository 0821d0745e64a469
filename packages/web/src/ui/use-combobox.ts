import { type KeyboardEvent, useState } from 'react';

export interface Option {
  value: string;
  label: string;
}

/** Number of options that PageUp and PageDown move by. */
const PAGE_SIZE = 5;

/** Normalises a text for searching: removes accents and outer spaces, lowercases. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** Returns the index that a key moves to: arrows wrap around, PageUp and PageDown stop at the ends. */
function indexAfter(key: string, index: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return index === last ? 0 : index + 1;
    case 'ArrowUp':
      return index === 0 ? last : index - 1;
    case 'PageDown':
      return Math.min(index + PAGE_SIZE, last);
    case 'PageUp':
      return Math.max(index - PAGE_SIZE, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** Returns the options whose label contains the search. */
function optionsFound(options: readonly Option[], search: string): Option[] {
  return options.filter(({ label }) => folded(label).includes(folded(search)));
}

/** Whether a key chooses the active option of an open list. A space in a search is part of the search. */
function isChoice({ key, shiftKey }: KeyboardEvent, search: string): boolean {
  return key === 'Enter' || (key === 'Tab' && !shiftKey) || (key === ' ' && search === '');
}

/** Holds whether the list is open, its search, the options found, and the active one among them. */
function useOptionList(value: Option | null, options: readonly Option[]) {
  const [isOpen, setIsOpen] = useState(false);
  const [search, setSearch] = useState('');
  const [active, setActive] = useState<string>();
  const listed = optionsFound(options, search);
  const found = listed.findIndex((option) => option.value === active);

  function open(first = options[0]) {
    setIsOpen(true);
    setActive((value ?? first)?.value);
  }

  function close() {
    setIsOpen(false);
    setSearch('');
  }

  function onSearch(text: string) {
    if (!isOpen) open();
    setSearch(text);
  }

  return { isOpen, search, listed, activeIndex: Math.max(found, 0), open, close, setActive, onSearch };
}

interface ComboboxOptions {
  value: Option | null;
  options: readonly Option[];
  onChange: (option: Option | null) => void;
  clearable: boolean;
  /** Called with the index of the option that a key makes active. */
  onMove: (index: number) => void;
}

/** Manages the state of a searchable combobox and handles its keys. */
export function useCombobox({ value, options, onChange, clearable, onMove }: ComboboxOptions) {
  const list = useOptionList(value, options);
  const { isOpen, search, listed, activeIndex, open, close, setActive } = list;
  const activeOption = listed[activeIndex];

  function choose(option: Option) {
    close();
    onChange(option);
  }

  /** Handles a key while the list is closed; returns whether it was handled. */
  function handleWhileClosed({ key }: KeyboardEvent): boolean {
    if (key === 'ArrowUp') open(options.at(-1));
    else if (key === 'ArrowDown' || key === ' ') open();
    else return false;
    return true;
  }

  /** Handles a key while the list is open; returns whether it was handled. */
  function handleWhileOpen(event: KeyboardEvent): boolean {
    const next = indexAfter(event.key, activeIndex, listed.length - 1);
    if (!activeOption) return event.key === 'Enter';
    if (isChoice(event, search)) choose(activeOption);
    else if (next !== undefined) {
      setActive(listed[next]?.value);
      onMove(next);
    } else return false;
    return true;
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const isDeletion = event.key === 'Backspace' || event.key === 'Delete';
    if (isDeletion && search === '' && clearable) onChange(null);
    else if (isOpen ? handleWhileOpen(event) : handleWhileClosed(event)) event.preventDefault();
  }

  return { ...list, choose, onKeyDown };
}
