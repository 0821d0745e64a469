import type { SignInMethod, SignInProvider } from '@datadeck/contract';
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { causeOf, sentenceOf } from '../../api/failure.ts';
import { leaveFor } from '../../api/leave.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useProductQuery } from '../sign-in/sign-in-api.ts';
import { SignInMark } from '../sign-in/sign-in-mark.tsx';
import { usePasskeysQuery } from './passkeys-api.ts';
import { PasskeysSection } from './passkeys-section.tsx';
import { RemoveMethodButton } from './remove-method-button.tsx';
import {
  useAddSignInMethodMutation,
  useRemoveSignInMethodMutation,
  useSignInMethodsQuery,
} from './sign-in-methods-api.ts';

/** How adding a method ended, by the parameter `link` of the return from the provider. */
const OUTCOMES: Readonly<Record<string, { tone: 'info' | 'error'; text: string }>> = {
  linked: { tone: 'info', text: 'The sign-in method was added. It leads to this account from now on.' },
  taken: {
    tone: 'error',
    text: 'This login has an account of its own, so it was not added. To use it here, sign in with it and delete that account first.',
  },
  failed: {
    tone: 'error',
    text: 'The sign-in method was not added. Complete it in this browser within ten minutes, without logging out. Try again.',
  },
};

/** Reads how adding a method ended, and cleans the address. */
function useOutcome() {
  const [params, setParams] = useSearchParams();
  const [outcome] = useState(() => OUTCOMES[params.get('link') ?? '']);
  const isPresent = params.has('link');
  useEffect(() => {
    if (isPresent) setParams({}, { replace: true });
  }, [isPresent, setParams]);
  return outcome;
}

function Method({ method, isOnly }: { method: SignInMethod; isOnly: boolean }) {
  const { _id: id, provider, title, email, createdAt } = method;
  const [remove, { isLoading }] = useRemoveSignInMethodMutation();

  async function ask() {
    const question = `You can no longer sign in with ${title}, and all other browsers are signed out. Your data stays.`;
    if (!(await confirmDeletion(`Remove ${title}`, question))) return;
    const { error } = await remove(id);
    if (error) toasts.error(sentenceOf(error));
    else toasts.success(`${title} was removed`);
  }

  return (
    <li className="flex items-center gap-3 border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <SignInMark identifier={provider} />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere text-13 font-medium">{title}</p>
        <p className="wrap-anywhere text-12 text-ink-3">
          {email !== '' && `${email} · `}since <DateTime iso={createdAt} className="tabular-nums" />
        </p>
      </div>
      {!isOnly && <RemoveMethodButton name={title} isRemoving={isLoading} onRemove={() => void ask()} />}
    </li>
  );
}

/** A button for each provider that the account does not have yet. */
function AddButtons({ providers }: { providers: readonly SignInProvider[] }) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [add, { isLoading, error, originalArgs }] = useAddSignInMethodMutation();

  async function begin(identifier: string) {
    const { data } = await add(identifier);
    if (data) leaveFor(data.url);
  }

  if (providers.length === 0) return null;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {providers.map(({ identifier, title }) => (
          <Button
            key={identifier}
            icon={<Plus size={14} />}
            busy={isLoading && originalArgs === identifier}
            disabled={!mayChange || isLoading}
            title={forbidden}
            onClick={() => void begin(identifier)}
          >
            Add {title}
          </Button>
        ))}
      </div>
      {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
    </>
  );
}

function Methods() {
  const { data: methods, error, isFetching, refetch } = useSignInMethodsQuery();
  const product = useProductQuery();
  const passkeys = usePasskeysQuery();
  if (methods === undefined && error !== undefined)
    return <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />;
  if (methods === undefined)
    return (
      <div role="status">
        <span className="sr-only">Loading...</span>
        <Skeleton className="h-9" />
      </div>
    );
  const addable = (product.data?.signInProviders ?? []).filter(({ identifier }) =>
    methods.every(({ provider }) => provider !== identifier),
  );
  return (
    <>
      {methods.length === 0 && passkeys.data?.passkeys.length === 0 && (
        <p className="text-13 text-ink-2">This account has no sign-in method.</p>
      )}
      {methods.length > 0 && (
        <ul className="flex flex-col">
          {methods.map((method) => (
            <Method
              key={method._id}
              method={method}
              isOnly={methods.length + (passkeys.data?.passkeys.length ?? 0) === 1}
            />
          ))}
        </ul>
      )}
      <AddButtons providers={addable} />
      <PasskeysSection methods={methods.length} />
    </>
  );
}

/** The 'Sign-in methods' card: lists, adds and removes the providers and passkeys that lead to the account. */
export function SignInMethodsCard() {
  const outcome = useOutcome();
  return (
    <Card title="Sign-in methods">
      <div className="flex flex-col gap-4">
        {outcome && <NoticeLine tone={outcome.tone}>{outcome.text}</NoticeLine>}
        <Methods />
      </div>
    </Card>
  );
}
