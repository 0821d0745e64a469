import { SEARCH_LIMITS } from '@datadeck/contract';
import { useEffect, useRef, useState } from 'react';
import type { SearchState } from '../../address/search-state.ts';

/** Least time between searches while the user types, ms. Results should follow a key within 100 ms, so it is seldom waited for. */
const INTERVAL = 60;

type Patch = Parameters<SearchState['set']>[0];

interface SearchText {
  /** The text in the box. */
  text: string;
  /** The text to search for, which follows the box. */
  asked: string;
  /** True while the user types: the last word may be the beginning of a longer one. */
  isTyping: boolean;
  type: (text: string) => void;
  /** Ends the typing and searches at once. */
  finish: (text: string) => void;
  /**
   * Searches for another text at once, and adds an entry to the history of the browser.
   * @param patch other parameters of the address that change with it
   */
  searchFor: (text: string, patch?: Patch) => void;
}

/**
 * Holds the text of a search, and keeps it in the address as `q`. The text that a user types in one go is one entry of the
 * browser's history. Texts beyond `SEARCH_LIMITS` are not put into the address.
 */
export function useSearchText(search: SearchState): SearchText {
  const address = search.get('q');
  const [text, setText] = useState(address);
  const [asked, setAsked] = useState(address);
  const [isTyping, setIsTyping] = useState(false);
  // Texts that are on their way into the address; the newest is last.
  const written = useRef<string[]>([]);
  const newest = useRef(address);
  const replaces = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const askedAt = useRef(0);
  const current = useRef(search);
  current.current = search;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const index = written.current.indexOf(address);
    written.current = written.current.slice(index + 1);
    // The address follows late: the user may have typed more since.
    if (index >= 0 || address === newest.current) return;
    // Back and forward change the address.
    clearTimeout(timer.current);
    newest.current = address;
    written.current = [];
    replaces.current = false;
    setText(address);
    setAsked(address);
    setIsTyping(false);
  }, [address]);

  function ask(next: string, patch?: Patch) {
    const q = next.trim();
    askedAt.current = performance.now();
    setAsked(q);
    if (q.length > SEARCH_LIMITS.text || (q === newest.current && !patch)) return;
    if (q !== newest.current) written.current.push(q);
    newest.current = q;
    current.current.set({ ...patch, q, page: null, record: null }, { replace: replaces.current });
    replaces.current = true;
  }

  function finish(next: string, patch?: Patch) {
    setText(next);
    setIsTyping(false);
    clearTimeout(timer.current);
    ask(next, patch);
    replaces.current = false;
  }

  return {
    text,
    asked,
    isTyping,
    type(next) {
      setText(next);
      setIsTyping(true);
      clearTimeout(timer.current);
      const waitMs = askedAt.current + INTERVAL - performance.now();
      if (waitMs > 0) timer.current = setTimeout(() => ask(next), waitMs);
      else ask(next);
    },
    finish,
    searchFor(next, patch) {
      replaces.current = false;
      finish(next, patch);
    },
  };
}
