import type { ConnectorProblem } from '@datadeck/contract';
import { createContext, useContext } from 'react';
import { isMembers, type Path, pathText, valueAt } from '../document/document-text.ts';

/** The document that the form edits. */
export interface DocumentForm {
  document: unknown;
  problems: readonly ConnectorProblem[];
  /** Sets the value at a path; undefined removes it. */
  edit: (path: Path, value: unknown) => void;
}

/** What was entered for choices that were left, by path and choice. */
type Memory = Map<string, unknown>;

interface FormState extends DocumentForm {
  memory: Memory;
}

const FormContext = createContext<FormState>({ document: {}, problems: [], edit() {}, memory: new Map() });

export const FormProvider = FormContext.Provider;
export const useDocumentForm = (): DocumentForm => useContext(FormContext);

/** Keeps what was entered for a choice that is left, such as a kind of pagination, while the page is open. */
export function useMemory(path: Path) {
  const { document, memory } = useContext(FormContext);
  const keyOf = (choice: string) => `${pathText(path)} ${choice}`;
  return {
    keep(choice: string) {
      memory.set(keyOf(choice), valueAt(document, path));
    },
    /** Returns the members that were kept. */
    kept(choice: string): Record<string, unknown> | undefined {
      const value = memory.get(keyOf(choice));
      return isMembers(value) ? value : undefined;
    },
  };
}

/** Returns a function that removes an item of a list, and forgets what was kept for it and for those after it, which move. */
export function useRemoveItem(list: Path): (index: number) => void {
  const { edit, memory } = useContext(FormContext);
  return (index) => {
    for (const key of memory.keys()) if (key.startsWith(`${pathText(list)}.`)) memory.delete(key);
    edit([...list, index], undefined);
  };
}

/** Returns the value at a path, what is wrong with it, and a function that sets it. */
export function useField(path: Path) {
  const { document, problems, edit } = useDocumentForm();
  const at = pathText(path);
  return {
    at,
    value: valueAt(document, path),
    problem: problems.find((one) => one.path === at)?.message,
    set: (value: unknown) => edit(path, value),
  };
}

/** Returns how many problems are at a path or below it. */
export function useProblemCount(path: Path): number {
  const { problems } = useDocumentForm();
  const at = pathText(path);
  return problems.filter((one) => one.path === at || one.path.startsWith(`${at}.`)).length;
}
