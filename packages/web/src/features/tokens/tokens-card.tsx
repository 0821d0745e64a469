import type { ApiToken } from '@datadeck/contract';
import { BookOpen, List, Lock, Plus } from 'lucide-react';
import { useState } from 'react';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/duration.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toast.tsx';
import { NewTokenDialog, type TokenViews } from './new-token-dialog.tsx';
import { SCOPE_WORDS } from './scope-words.ts';
import { TokenUsesDialog } from './token-uses-dialog.tsx';
import { useRevokeTokenMutation, useTokensQuery } from './tokens-api.ts';

interface TokensCardProps extends TokenViews {
  boards: readonly { id: string; title: string }[];
}

/** Returns the title of the view or board of a token; undefined for other tokens. */
function subjectOf(
  { viewId, boardId }: ApiToken,
  { views, boards }: Pick<TokensCardProps, 'views' | 'boards'>,
): string | undefined {
  if (viewId !== null) return views.find(({ id }) => id === viewId)?.title ?? 'Deleted view';
  if (boardId !== null) return boards.find(({ id }) => id === boardId)?.title ?? 'Deleted board';
  return undefined;
}

/** A token. @param subject title of the only view or board that it reads */
function TokenLine({ token, subject }: { token: ApiToken; subject: string | undefined }) {
  const { _id: id, name, scope, expiresAt, lastUsedAt, rowBudget, rowsUsed, hasPassword } = token;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [revoke, { isLoading }] = useRevokeTokenMutation();
  const isExpired = Date.parse(expiresAt) <= Date.now();

  async function ask() {
    const users = subject === undefined ? 'Programs that use' : 'People and programs that use';
    const question = `${users} ${name} lose their access at once. This cannot be undone.`;
    if (!(await confirmDeletion(`Revoke ${name}`, question))) return;
    const { error } = await revoke(id);
    if (error) toasts.error(sentenceOf(error));
    else toasts.success(`${name} was revoked`);
  }

  return (
    <li className="flex items-center gap-3 border-b py-3 first:pt-0 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 font-medium">
          <span className="wrap-anywhere">{name}</span>
          <Badge>{SCOPE_WORDS[scope].title}</Badge>
          {hasPassword && (
            <Badge>
              <Lock aria-hidden="true" size={12} />
              Password
            </Badge>
          )}
        </p>
        {subject !== undefined && (
          <p className="wrap-anywhere text-12 text-ink-2">
            {subject} · {formatCount(rowsUsed)} of {formatCount(rowBudget ?? 0)} rows used
          </p>
        )}
        <p className="text-12 text-ink-3">
          {isExpired ? 'Expired' : 'Expires'} <DateTime iso={expiresAt} className="tabular-nums" />
          {' · '}
          {lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <DateTime iso={lastUsedAt} className="tabular-nums" />
            </>
          )}
        </p>
      </div>
      <Button
        size="sm"
        variant="danger"
        aria-label={`Revoke ${name}`}
        busy={isLoading}
        disabled={!mayChange || isLoading}
        title={forbidden}
        onClick={() => void ask()}
      >
        Revoke
      </Button>
    </li>
  );
}

function TokenList({ views, boards }: Pick<TokensCardProps, 'views' | 'boards'>) {
  const { data: tokens, error, isFetching, refetch } = useTokensQuery();
  if (tokens === undefined && error !== undefined)
    return <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />;
  if (tokens === undefined)
    return (
      <div role="status">
        <span className="sr-only">Loading...</span>
        <Skeleton className="h-9" />
      </div>
    );
  if (tokens.length === 0)
    return (
      <p className="text-13 text-ink-2">
        A token lets a script, an assistant or another program use your data without your login. It can do
        less than you, and you can revoke it alone. Links that you share are tokens, too.
      </p>
    );
  return (
    <ul className="flex flex-col">
      {tokens.map((token) => (
        <TokenLine key={token._id} token={token} subject={subjectOf(token, { views, boards })} />
      ))}
    </ul>
  );
}

/** The 'API tokens' card: lists, creates and revokes tokens, and shows what they called. */
export function TokensCard({ boards, ...props }: TokensCardProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [open, setOpen] = useState<'none' | 'new' | 'uses'>('none');
  const close = () => setOpen('none');
  return (
    <Card title="API tokens">
      <div className="flex flex-col gap-4">
        <TokenList views={props.views} boards={boards} />
        <div className="flex flex-wrap gap-2">
          <Button
            icon={<Plus size={14} />}
            disabled={!mayChange}
            title={forbidden}
            onClick={() => setOpen('new')}
          >
            New token
          </Button>
          <Button variant="ghost" icon={<List size={14} />} onClick={() => setOpen('uses')}>
            Access log
          </Button>
          <a
            href="/api/v1/reference"
            target="_blank"
            rel="noreferrer"
            className="inline-flex h-8 touch:h-10 items-center gap-2 rounded-sm px-3 text-13 font-medium text-ink-2 transition-colors duration-100 hover:bg-hover hover:text-ink"
          >
            <BookOpen aria-hidden="true" size={14} />
            API reference
          </a>
        </div>
      </div>
      {open === 'new' && <NewTokenDialog {...props} onClose={close} />}
      {open === 'uses' && <TokenUsesDialog onClose={close} />}
    </Card>
  );
}
