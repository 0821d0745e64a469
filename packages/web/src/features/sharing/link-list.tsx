import type { ApiToken } from '@datadeck/contract';
import { Lock, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { Age, DateTime } from '../../ui/date-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/duration.ts';
import { toasts } from '../../ui/toast.tsx';
import { useRevokeTokenMutation } from '../tokens/tokens-api.ts';
import { fixedValuesOf } from './link-words.ts';
import { isOpen, type Shared } from './shared-subject.ts';

function LinkLine({ link }: { link: ApiToken }) {
  const { _id: id, name, expiresAt, lastUsedAt, rowBudget, rowsUsed, hasPassword, frameAncestors } = link;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [revoke, { isLoading }] = useRevokeTokenMutation();
  const opens = isOpen(link);
  const values = fixedValuesOf(link);

  async function end() {
    const question = 'Everybody who has it loses access at once, also on pages that are open.';
    if (opens && !(await confirmDeletion(`End the link for ${name}`, question, 'This cannot be undone.')))
      return;
    const { error } = await revoke(id);
    if (error) toasts.error(sentenceOf(error));
    else toasts.success(opens ? `The link for ${name} has ended` : `${name} was removed`);
  }

  return (
    <li className="flex items-center gap-3 border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 font-medium">
          <span className="wrap-anywhere">{name}</span>
          {!opens && <Badge>Ended</Badge>}
          {hasPassword && (
            <Badge>
              <Lock aria-hidden="true" size={12} />
              Password
            </Badge>
          )}
        </p>
        {values !== undefined && <p className="wrap-anywhere font-mono text-12 text-ink-2">{values}</p>}
        <p className="text-12 text-ink-2">
          {opens ? 'Ends' : 'Ended'} <DateTime iso={expiresAt} className="tabular-nums" />
          {' · '}
          {lastUsedAt === null ? (
            'Never opened'
          ) : (
            <>
              Last opened <Age iso={lastUsedAt} />
            </>
          )}
        </p>
        <p className="text-12 text-ink-3 tabular-nums">
          {formatCount(rowsUsed)} of {formatCount(rowBudget ?? 0)} rows read
        </p>
        {frameAncestors.length > 0 && (
          <p className="wrap-anywhere text-12 text-ink-3">In frames of {frameAncestors.join(', ')}</p>
        )}
      </div>
      <Button
        size="sm"
        variant="danger"
        aria-label={opens ? `End the link for ${name}` : `Remove ${name}`}
        busy={isLoading}
        disabled={!mayChange || isLoading}
        title={forbidden}
        onClick={() => void end()}
      >
        {opens ? 'End' : 'Remove'}
      </Button>
    </li>
  );
}

interface LinkListProps {
  shared: Shared;
  /** Chooses who it is shared with. */
  audience: ReactNode;
  links: readonly ApiToken[];
  onNew: () => void;
  onClose: () => void;
}

/** The links to a view or a board, those that open first. */
export function LinkList({ shared, audience, links, onNew, onClose }: LinkListProps) {
  const sorted = [...links.filter(isOpen), ...links.filter((link) => !isOpen(link))];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Share"
      subtitle={shared.title}
      footer={
        <Button variant="primary" icon={<Plus size={14} />} onClick={onNew}>
          New link
        </Button>
      }
    >
      <div className="mb-4">{audience}</div>
      {links.length === 0 ? (
        <p className="text-13 text-ink-2">There is no link to this {shared.kind} any more.</p>
      ) : (
        <div className="flex flex-col gap-3">
          <ul aria-label="Links" className="flex flex-col">
            {sorted.map((link) => (
              <LinkLine key={link._id} link={link} />
            ))}
          </ul>
          <p className="border-t pt-3 text-12 text-ink-3">
            A link is shown only when it is made. For a lost one, make a new link and end the old one.
          </p>
        </div>
      )}
    </Dialog>
  );
}
