import type { ConnectorProblem } from '@datadeck/contract';
import { createContext, useContext } from 'react';
import { type Path, pathText, valueAt } from '../document/document-text.ts';

/** The document that the form edits. */
export interface DocumentForm {
  document: unknown;
  problems: readonly ConnectorProblem[];
  /** Sets the value at a path; undefined removes it. */
  edit: (path: Path, value: unknown) => void;
}

const FormContext = createContext<DocumentForm>({ document: {}, problems: [], edit() {} });

export const FormProvider = FormContext.Provider;
export const useDocumentForm = (): DocumentForm => useContext(FormContext);

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
