import type { ConnectorDetail } from '@datadeck/contract';
import { useCallback, useState } from 'react';
import { type Path, readDocument, withValue, writeDocument } from './document/document-text.ts';

/** The text that is edited, and what it says. */
export interface EditedDocument {
  text: string;
  setText: (text: string) => void;
  /** The document of the text, or the last one that could be read. */
  document: unknown;
  /** Why the text cannot be read. */
  sentence: string | undefined;
  /** Sets a value of the document and writes the text again. */
  edit: (path: Path, value: unknown) => void;
  isDirty: boolean;
  /** Notes that a text was saved. */
  onSaved: (text: string) => void;
  /** Goes back to the saved text. */
  reset: () => void;
}

/** Keeps the text of a document. Takes over the text of the server when it changes and nothing is unsaved. */
export function useDocument({ document: loaded }: Pick<ConnectorDetail, 'document'>): EditedDocument {
  const [text, setText] = useState(loaded);
  const [saved, setSaved] = useState(loaded);
  const [seen, setSeen] = useState(loaded);
  const [readable, setReadable] = useState<unknown>({});
  if (seen !== loaded) {
    setSeen(loaded);
    setSaved(loaded);
    if (text === saved) setText(loaded);
  }
  const [readText, setReadText] = useState<string>();
  const [sentence, setSentence] = useState<string>();
  if (readText !== text) {
    const read = readDocument(text);
    setReadText(text);
    setSentence(read.sentence);
    if (read.document) setReadable(read.document);
  }
  const edit = useCallback(
    (path: Path, value: unknown) =>
      setText((before) => {
        const { document } = readDocument(before);
        return document ? writeDocument(withValue(document, path, value)) : before;
      }),
    [],
  );
  return {
    text,
    setText,
    document: readable,
    sentence,
    edit,
    isDirty: text !== saved,
    onSaved: setSaved,
    reset: () => setText(saved),
  };
}
