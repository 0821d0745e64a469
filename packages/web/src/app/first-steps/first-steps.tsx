import { Check, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { queryAddress } from '../../address/query-link.ts';
import type { Sync } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { useUser } from '../../features/sign-in/use-user.ts';
import { nextEntity } from '../../features/sync/next-entity.ts';
import { useOverview } from '../../features/sync/providers-and-syncs.ts';
import { useAllViewsQuery } from '../../features/views/views-api.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { readSteps, storeSteps } from './steps-state.ts';

interface StepProps {
  number: number;
  title: string;
  hint: string;
  state: 'done' | 'next' | 'later';
  action: string;
  onAct: () => void;
}

/** A step: ticked when it is done, with a button when it is the next one. */
function Step({ number, title, hint, state, action, onAct }: StepProps) {
  return (
    <li aria-current={state === 'next' ? 'step' : undefined} className="flex min-w-0 gap-3">
      <span
        className={classNames(
          'mt-px flex size-5 shrink-0 items-center justify-center rounded-full text-12 font-semibold tabular-nums',
          state === 'done' && 'bg-success-soft text-success-text',
          state === 'next' && 'bg-accent text-on-accent',
          state === 'later' && 'bg-sunken text-ink-3',
        )}
      >
        {state === 'done' ? <Check aria-label="Done" role="img" size={12} /> : number}
      </span>
      <div className="flex min-w-0 flex-col items-start">
        <p className={classNames('text-13 font-medium', state !== 'next' && 'text-ink-3')}>{title}</p>
        <p className="text-12 text-ink-3">{hint}</p>
        {state === 'next' && (
          <Button size="sm" variant="primary" className="mt-2" onClick={onAct}>
            {action}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Returns the button that connects the first provider. */
const firstConnect = () => document.querySelector<HTMLElement>('[data-connect]:not(:disabled)');

/** Returns the address that saves a view of what a sync has read. */
const viewAddress = ({ providerId, entityLabel }: Sync) => queryAddress({ providerId, entityLabel }, 'view');

/** The state of the steps of a user; undefined while they are not to be shown. */
function useSteps(userId: string) {
  const [stored, setStored] = useState(() => readSteps(userId));
  const mayChange = useMayChange();
  const { overview, syncs } = useOverview();
  const { data: views } = useAllViewsQuery(undefined, { skip: stored === 'closed' || !mayChange });
  const finished = syncs.find(({ status }) => status === 'finished');
  const hasViews = views !== undefined && views.length > 0;
  // An account without a finished sync hardly has views: its steps need not wait for them.
  const isShown =
    stored !== 'closed' && mayChange && (views === undefined ? stored === 'open' || !finished : !hasViews);
  const state = hasViews ? 'closed' : isShown && views ? 'open' : undefined;
  useEffect(() => {
    if (state) storeSteps(userId, state);
  }, [state, userId]);
  function dismiss() {
    storeSteps(userId, 'closed');
    setStored('closed');
  }
  return isShown ? { rows: Object.values(overview).flat(), finished, dismiss } : undefined;
}

function Steps({ userId }: { userId: string }) {
  const navigate = useNavigate();
  const shown = useSteps(userId);
  if (!shown) return null;
  const { rows, finished, dismiss } = shown;
  const done = [rows.length > 0, finished !== undefined, false];
  const next = done.indexOf(false);
  const stateOf = (index: number) => (done[index] ? 'done' : index === next ? 'next' : 'later');
  return (
    <section
      aria-labelledby="first-steps"
      className="relative mb-6 rounded-md border bg-surface p-5 shadow-low"
    >
      <h2 id="first-steps" className="pr-10 text-14 font-semibold">
        Three steps to your first view
      </h2>
      <span className="absolute top-3.5 right-3.5">
        <IconButton label="Dismiss the first steps" icon={<X size={16} />} onClick={dismiss} />
      </span>
      <ol className="mt-4 grid gap-4 @min-[38rem]:grid-cols-3 @min-[38rem]:gap-6">
        <Step
          number={1}
          title="Connect a provider"
          hint="Allow Datadeck to read an account."
          state={stateOf(0)}
          action="Choose a provider"
          onAct={() => firstConnect()?.focus({ focusVisible: true })}
        />
        <Step
          number={2}
          title="Synchronize"
          hint="Copy its records into Datadeck."
          state={stateOf(1)}
          action="Synchronize"
          onAct={() =>
            void navigate(withSearch(PATHS.syncs, { details: nextEntity(rows)?.entityLabel ?? '' }))
          }
        />
        <Step
          number={3}
          title="Make a view"
          hint="Save a query over them under a name."
          state={stateOf(2)}
          action="Make a view"
          onAct={() => finished && void navigate(viewAddress(finished))}
        />
      </ol>
    </section>
  );
}

/** The steps that a new account takes until its first view: connect, synchronize, make a view. */
export function FirstSteps() {
  const { data: user } = useUser();
  return user ? <Steps key={user._id} userId={user._id} /> : null;
}
