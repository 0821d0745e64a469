import type { ConnectorDetail } from '@datadeck/contract';
import { useCallback, useState } from 'react';
import { type Path, readDocument, withValue, writeDocument } from './document/document-text.ts';

/** A text of the server, and when it was saved or published. */
type StoredText = Pick<ConnectorDetail, 'document' | 'changedAt'>;

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
  /** When the text changed on which the edited one is based; a save names it. */
  basedOn: string;
  /** Whether the server has another text than the one on which the edited one is based. */
  isOutdated: boolean;
  /** Keeps the text when the server has another one, so that the person takes it over knowingly. */
  keep: () => void;
  /** Notes that a text was saved, and when. */
  onSaved: (text: string, changedAt: string) => void;
  /** Goes back to the text of the server. */
  reset: () => void;
}

/**
 * Keeps the text of a document. Takes over the text of the server when it changes and nothing is unsaved; unsaved changes, and a text
 * that was to be published or discarded, stay and are then outdated.
 */
export function useDocument({ document: loadedText, changedAt }: StoredText): EditedDocument {
  const [text, setText] = useState(loadedText);
  const [base, setBase] = useState<StoredText>({ document: loadedText, changedAt });
  /** The text that another administrator stored; undefined while the changes are based on that of the server. */
  const [other, setOther] = useState<StoredText>();
  const [isKept, setIsKept] = useState(false);
  const [seen, setSeen] = useState(base);
  const [readable, setReadable] = useState<unknown>({});
  const isDirty = text !== base.document;
  const take = (next: StoredText) => {
    setBase(next);
    setText(next.document);
    setOther(undefined);
    setIsKept(false);
  };
  if (seen.changedAt !== changedAt || seen.document !== loadedText) {
    const next = { document: loadedText, changedAt };
    setSeen(next);
    if ((!isDirty && !isKept) || (isDirty && text === loadedText)) take(next);
    else setOther(changedAt === base.changedAt ? undefined : next);
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
    isDirty,
    basedOn: base.changedAt,
    isOutdated: (isDirty || isKept) && other !== undefined,
    keep: () => setIsKept(true),
    onSaved(document, savedAt) {
      setBase({ document, changedAt: savedAt });
      setOther(undefined);
      setIsKept(false);
    },
    reset: () => take(other ?? base),
  };
}
