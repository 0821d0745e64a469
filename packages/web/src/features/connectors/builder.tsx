import type { ConnectorDetail, ConnectorProblem } from '@datadeck/contract';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import { classNames } from '../../ui/class-names.ts';
import type { CodeEditorHandle } from '../../ui/code-editor.tsx';
import { confirm } from '../../ui/confirmation.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { BuilderHeader } from './builder-header.tsx';
import { useSaveConnectorMutation } from './connectors-api.ts';
import { ConnectorsLink } from './connectors-link.tsx';
import { textAt } from './document/document-text.ts';
import { positionsIn, rangeOf } from './document/positions.ts';
import { DocumentForm } from './form/document-form.tsx';
import { goToField } from './go-to-field.ts';
import { OauthClient } from './oauth-client.tsx';
import { OutdatedNotice } from './outdated-notice.tsx';
import { ProblemList } from './problem-list.tsx';
import { ProvePanel } from './prove-panel.tsx';
import { StartNotices } from './start-notices.tsx';
import { TryPanel } from './try-panel.tsx';
import { useDocument } from './use-document.ts';
import { useIsWide } from './use-is-wide.ts';
import { VersionsPanel } from './versions-panel.tsx';

const DocumentEditor = lazy(() => fetchCode(() => import('./document/document-editor.tsx')));

const PANES = [
  { value: 'form', label: 'Form' },
  { value: 'document', label: 'Document' },
  { value: 'try', label: 'Try' },
  { value: 'prove', label: 'Prove' },
  { value: 'versions', label: 'Versions' },
] as const;
type Pane = (typeof PANES)[number]['value'];

/** Joins problems of a saved draft and of a trial; the same one is listed once. */
function uniqueProblems(...lists: readonly (readonly ConnectorProblem[])[]): ConnectorProblem[] {
  const all = lists.flat().map((one): [string, ConnectorProblem] => [`${one.path} ${one.message}`, one]);
  return [...new Map(all).values()];
}

const NO_PROBLEMS: readonly ConnectorProblem[] = [];

/** Builds one connector: its form beside its document, and what tries, proves and publishes it. */
export function ConnectorBuilder({ detail }: { detail: ConnectorDetail }) {
  const edited = useDocument(detail);
  const { text, document, sentence, isDirty, edit } = edited;
  const isWide = useIsWide();
  const [chosen, setChosen] = useState<Pane>(isWide ? 'document' : 'form');
  const pane = isWide && chosen === 'form' ? 'document' : chosen;
  const [save, { isLoading: isSaving }] = useSaveConnectorMutation();
  const [savedProblems, setSavedProblems] = useState<readonly ConnectorProblem[]>(detail.problems);
  const [trialProblems, setTrialProblems] = useState(NO_PROBLEMS);
  const [checked, setChecked] = useState(detail.problems);
  if (checked !== detail.problems) {
    setChecked(detail.problems);
    setSavedProblems(detail.problems);
  }
  const form = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditorHandle>(null);
  const problems = uniqueProblems(savedProblems, trialProblems);
  useUnsaved(isDirty, () => {});

  async function saveDraft(changedAt = edited.basedOn) {
    if (!isDirty || isSaving) return;
    const sent = text;
    const { data, error } = await save({ key: detail.key, document: sent, changedAt });
    if (!data) return toasts.error(sentenceOf(error));
    edited.onSaved(sent, data.draftAt);
    setSavedProblems(data.problems);
    setTrialProblems(NO_PROBLEMS);
  }
  async function loadOther() {
    if (!isDirty) return edited.reset();
    const may = await confirm(
      'Load the other text',
      'Your unsaved changes are replaced. Undo in the document brings them back while this page is open.',
    );
    if (may) edited.reset();
  }
  async function overwriteOther() {
    const may = await confirm(
      'Overwrite the other text',
      `The changes of ${detail.changedBy === '' ? 'the other administrator' : detail.changedBy} are replaced by yours.`,
    );
    if (may) void saveDraft(detail.changedAt);
  }
  const onKey = useRef(() => saveDraft());
  onKey.current = () => saveDraft();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      void onKey.current();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  /** Shows the place of a path: its field, or its text where the form has none or is not in view. */
  function goTo(path: string) {
    const selectText = () => {
      // A problem of the whole text has no path.
      const range = rangeOf(positionsIn(text), path) ?? { from: 0, to: 0 };
      editor.current?.select(range.from, range.to);
    };
    if (!isWide && pane === 'document') return selectText();
    if (!isWide) setChosen('form');
    // The text follows, and the field then takes the focus.
    else if (pane === 'document') selectText();
    // After the form is shown.
    setTimeout(() => {
      if (sentence !== undefined || !goToField(form.current, path)) {
        setChosen('document');
        setTimeout(selectText);
      }
    });
  }

  function onRefused(error: unknown) {
    if (errorOf(error)?.code === 'draft-outdated') edited.keep();
    const fields = Object.entries(errorOf(error)?.fields ?? {});
    if (fields.length > 0) setSavedProblems(fields.map(([path, message]) => ({ path, message })));
    toasts.error(sentenceOf(error));
  }

  const panel = (name: Pane) => classNames(pane !== name && 'hidden');
  return (
    <>
      <ConnectorsLink />
      <BuilderHeader
        detail={detail}
        title={textAt(document, ['title']) || detail.title}
        problems={savedProblems}
        edited={edited}
        isSaving={isSaving}
        onSave={() => void saveDraft()}
        onRefused={onRefused}
      />
      <StartNotices />
      {edited.isOutdated && (
        <OutdatedNotice
          detail={detail}
          basedOn={edited.basedOn}
          isDirty={isDirty}
          isSaving={isSaving}
          onLoad={() => void loadOther()}
          onOverwrite={() => void overwriteOther()}
        />
      )}
      <ProblemList problems={problems} isDirty={isDirty} onGo={goTo} />
      <div className="grid items-start gap-4 lg:gap-x-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        {!isWide && <PaneChoice pane={pane} isWide={false} onChange={setChosen} />}
        <div ref={form} className={classNames('min-w-0', !isWide && panel('form'))}>
          <DocumentForm
            document={document}
            problems={problems}
            edit={edit}
            sentence={sentence}
            client={<OauthClient detail={detail} />}
          />
        </div>
        <div className={classNames('min-w-0 lg:sticky lg:top-4', !isWide && pane === 'form' && 'hidden')}>
          {isWide && <PaneChoice pane={pane} isWide onChange={setChosen} />}
          <div className={panel('document')}>
            <Suspense fallback={<Skeleton className="h-96" />}>
              <DocumentEditor
                text={text}
                onChange={edited.setText}
                problems={problems}
                isInvalid={sentence !== undefined}
                handle={editor}
              />
            </Suspense>
            <p className={classNames('mt-2 text-12 text-ink-3', sentence === undefined && 'hidden lg:block')}>
              {sentence ?? 'Ctrl or Cmd with Space completes names and values.'}
            </p>
          </div>
          <div className={panel('try')}>
            <TryPanel
              connectorKey={detail.key}
              document={document}
              text={text}
              isReadable={sentence === undefined}
              edit={edit}
              onProblems={setTrialProblems}
              onGo={goTo}
            />
          </div>
          <div className={panel('prove')}>
            <ProvePanel
              detail={detail}
              document={document}
              text={text}
              isReadable={sentence === undefined}
              onTry={() => setChosen('try')}
              onGo={goTo}
            />
          </div>
          <div className={panel('versions')}>
            <VersionsPanel detail={detail} onRefused={onRefused} />
          </div>
        </div>
      </div>
    </>
  );
}

interface PaneChoiceProps {
  pane: Pane;
  /** Whether the form is beside the other panes. */
  isWide: boolean;
  onChange: (pane: Pane) => void;
}

function PaneChoice({ pane, isWide, onChange }: PaneChoiceProps) {
  return (
    <div className={classNames('max-w-full overflow-x-auto', isWide && 'mb-3')}>
      <Segmented
        label="Pane"
        value={pane}
        options={isWide ? PANES.filter(({ value }) => value !== 'form') : PANES}
        onChange={onChange}
      />
    </div>
  );
}
