import type { SharedWithMe } from '@datadeck/contract';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useCopySharedMutation } from '../invitations/invitations-api.ts';

/** Says what is copied and what is not, and copies it. Then opens the copy. */
export function CopyDialog({ shared, onClose }: { shared: SharedWithMe; onClose: () => void }) {
  const { _id: id, kind, title, owner } = shared;
  const navigate = useNavigate();
  const [copy, { isLoading, error }] = useCopySharedMutation();
  async function submit() {
    const { data } = await copy(id);
    if (!data) return;
    toasts.success(`‘${data.title}’ was copied`);
    const path =
      data.kind === 'board'
        ? withSearch(PATHS.boards, { board: data._id })
        : withSearch(PATHS.views, { view: data._id });
    void navigate(path);
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Copy the ${kind}`}
      subtitle={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isLoading} disabled={isLoading} onClick={() => void submit()}>
            Copy to my workspace
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-14 text-ink-2">
        {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
        <p>
          {kind === 'board'
            ? 'You get a board of your own with its tiles, and the views that they show, with all views that these build on.'
            : 'You get a view of your own, with all views that it builds on.'}{' '}
          They read <strong className="font-medium text-ink">your</strong> records, so that they stay empty
          until you connect the same providers.
        </p>
        <ul className="flex list-disc flex-col gap-1 pl-5 text-13">
          <li>Copied: expressions, searches of views, parameters, columns and charts.</li>
          <li>
            Not copied: records, accounts and credentials of {owner.name}, values that {owner.name} has fixed
            {kind === 'board' ? ', and searches of the board' : ''}.
          </li>
          <li>
            The copy stays when {owner.name} takes the original back. Later changes of it are not copied.
          </li>
        </ul>
      </div>
    </Dialog>
  );
}
