import type { ConnectorDetail, ConnectorProblem } from '@datadeck/contract';
import { Ellipsis, RotateCcw, Trash2, Undo2, Upload } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { sentenceOf } from '../../api/failure.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { confirm, confirmDeletion } from '../../ui/confirmation.tsx';
import { Age } from '../../ui/date-time.tsx';
import { countOf } from '../../ui/duration.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { toasts } from '../../ui/toast.tsx';
import { badgesOf, publishObstacle } from './connector-words.ts';
import {
  useDiscardDraftMutation,
  usePublishConnectorMutation,
  useWithdrawConnectorMutation,
} from './connectors-api.ts';
import { DeleteConnectorDialog } from './delete-connector-dialog.tsx';
import type { EditedDocument } from './use-document.ts';

interface BuilderHeaderProps {
  detail: ConnectorDetail;
  title: string;
  /** Problems of the saved draft. */
  problems: readonly ConnectorProblem[];
  edited: EditedDocument;
  isSaving: boolean;
  onSave: () => void;
  /** Called with the error of a refused publication, or of a draft that could not be discarded. */
  onRefused: (error: unknown) => void;
}

const ICON = { 'aria-hidden': true, size: 14 } as const;

/** Title, state and actions of a connector. */
export function BuilderHeader(props: BuilderHeaderProps) {
  const { detail, title, problems, edited, isSaving, onSave, onRefused } = props;
  const { key, state, version, draftAt, accounts } = detail;
  const { isDirty, sentence } = edited;
  const navigate = useNavigate();
  const [isDeleting, setIsDeleting] = useState(false);
  const [isGone, setIsGone] = useState(false);
  const [publish, { isLoading: isPublishing }] = usePublishConnectorMutation();
  const [discard] = useDiscardDraftMutation();
  const [withdraw] = useWithdrawConnectorMutation();
  const obstacle = publishObstacle({ draftAt, isDirty, isReadable: sentence === undefined, problems });
  useEffect(() => {
    // Once the text counts as saved, leaving asks nothing.
    if (isGone && !isDirty) void navigate(PATHS.connectors, { replace: true });
  }, [isGone, isDirty, navigate]);

  function leave() {
    edited.reset();
    setIsGone(true);
  }

  async function onPublish() {
    const next = (detail.versions[0]?.version ?? version ?? 0) + 1;
    const may = await confirm(
      `Publish version ${next}`,
      version === null
        ? `Everybody on this server can then connect ${title}.`
        : state === 'withdrawn'
          ? `${title} is withdrawn now. Publishing version ${next} offers it again: everybody on this server can connect it, and its accounts synchronize again. Changed columns are converted in the background.`
          : `Running sources move to version ${next} at their next run. Changed columns are converted in the background.`,
      accounts > 0 ? `${countOf(accounts, 'account')} of all users use it.` : undefined,
    );
    if (!may) return;
    const { data, error } = await publish({ key, changedAt: edited.basedOn });
    if (data) toasts.success(`Version ${data.version} is published`);
    else onRefused(error);
  }

  async function onDiscard() {
    const isDraft = state === 'draft';
    const may = await confirmDeletion(
      isDraft ? 'Delete draft' : 'Discard draft',
      isDraft
        ? 'This connector was never published. Delete it with its document and recorded answers?'
        : `Discard all changes since version ${version ?? 1}?`,
    );
    if (!may) return;
    const { error } = await discard({ key, changedAt: edited.basedOn });
    if (error) return onRefused(error);
    if (isDraft) return leave();
    edited.reset();
    toasts.success('The draft was discarded');
  }

  async function onWithdraw(isWithdrawn: boolean) {
    const may = await confirm(
      isWithdrawn ? 'Withdraw connector' : 'Offer connector again',
      isWithdrawn
        ? `Nobody can connect ${title} any more, and its accounts no longer synchronize. Its data stays readable.`
        : `Everybody on this server can connect ${title} again, and its accounts synchronize again.`,
      isWithdrawn && accounts > 0 ? `${countOf(accounts, 'account')} of all users use it.` : undefined,
    );
    if (!may) return;
    const { error } = await withdraw({ key, isWithdrawn });
    if (error) toasts.error(sentenceOf(error));
    else toasts.success(isWithdrawn ? `${title} was withdrawn` : `${title} is offered again`);
  }

  const items: MenuItem[] = [];
  if (draftAt !== null)
    items.push({
      label: state === 'draft' ? 'Delete draft' : 'Discard draft',
      icon: <RotateCcw {...ICON} />,
      danger: state === 'draft',
      onSelect: () => void onDiscard(),
    });
  if (state !== 'draft') {
    items.push({
      label: state === 'published' ? 'Withdraw' : 'Offer again',
      icon: <Undo2 {...ICON} />,
      onSelect: () => void onWithdraw(state === 'published'),
    });
    items.push({
      label: 'Delete…',
      icon: <Trash2 {...ICON} />,
      danger: true,
      separated: true,
      onSelect: () => setIsDeleting(true),
    });
  }

  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            <Button
              busy={isSaving}
              disabled={!isDirty || isSaving}
              onClick={onSave}
              title="Ctrl or Cmd with S"
            >
              Save draft
            </Button>
            <Button
              variant="primary"
              icon={<Upload size={14} />}
              busy={isPublishing}
              disabled={obstacle !== undefined || isPublishing}
              aria-describedby={obstacle === undefined ? undefined : 'publish-obstacle'}
              title={obstacle}
              onClick={() => void onPublish()}
            >
              Publish
            </Button>
            {items.length > 0 && (
              <Menu
                trigger={<IconButton label="More actions" icon={<Ellipsis size={16} />} />}
                items={items}
              />
            )}
          </>
        }
      />
      <div className="-mt-4 mb-4 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-12 text-ink-3">
        {badgesOf(detail).map(({ tone, text }) => (
          <Badge key={text} tone={tone}>
            {text}
          </Badge>
        ))}
        <code className="font-mono">{key}</code>
        <span>{accounts === 0 ? 'No accounts' : countOf(accounts, 'account')}</span>
        <span role="status">
          {isDirty ? (
            'Unsaved changes'
          ) : draftAt === null ? (
            ''
          ) : (
            <>
              Draft saved <Age iso={draftAt} />
            </>
          )}
        </span>
        {obstacle !== undefined && (
          <span id="publish-obstacle" className="sr-only">
            {obstacle}
          </span>
        )}
      </div>
      {isDeleting && (
        <DeleteConnectorDialog
          detail={detail}
          title={title}
          onWithdraw={() => {
            setIsDeleting(false);
            void onWithdraw(true);
          }}
          onClose={() => setIsDeleting(false)}
          onDeleted={leave}
        />
      )}
    </>
  );
}
