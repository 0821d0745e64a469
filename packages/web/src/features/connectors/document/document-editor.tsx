import type { ConnectorProblem } from '@datadeck/contract';
import { type RefObject, useMemo } from 'react';
import { CodeEditor, type CodeEditorHandle } from '../../../ui/code-editor.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { DOCUMENT_LANGUAGE } from './language.ts';
import { positionsIn, rangeOf } from './positions.ts';

/** Debounce delay before the marks follow the text, ms. */
const MARK_DELAY = 300;

export interface DocumentEditorProps {
  text: string;
  onChange: (text: string) => void;
  problems: readonly ConnectorProblem[];
  isInvalid: boolean;
  handle: RefObject<CodeEditorHandle | null>;
}

/** The document as text, with completion and the problems marked. Its code loads on first use. */
export default function DocumentEditor({ text, onChange, problems, isInvalid, handle }: DocumentEditorProps) {
  const [settled] = useSettled(text, MARK_DELAY);
  const diagnostics = useMemo(() => {
    const positions = positionsIn(settled);
    return problems.flatMap(({ path, message }) => {
      const range = rangeOf(positions, path);
      return range ? [{ ...range, severity: 'error' as const, message }] : [];
    });
  }, [settled, problems]);
  return (
    <CodeEditor
      label="Document"
      value={text}
      onChange={onChange}
      extensions={DOCUMENT_LANGUAGE}
      diagnostics={diagnostics}
      isInvalid={isInvalid}
      handle={handle}
    />
  );
}
