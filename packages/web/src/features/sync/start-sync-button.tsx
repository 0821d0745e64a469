import { RefreshCw } from 'lucide-react';
import type { ComponentProps } from 'react';
import { PLAN_FORBIDS, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { type StartConditions, startState } from './start-state.ts';

interface StartSyncButtonProps extends Omit<StartConditions, 'mayChange'> {
  /** Id of the settings form that the button submits. */
  form: ComponentProps<'button'>['form'];
}

/** Starts a sync by submitting the settings form. */
export function StartSyncButton({ form, ...conditions }: StartSyncButtonProps) {
  const mayChange = useMayChange();
  const state = startState({ ...conditions, mayChange });
  if (state.isHidden) return null;
  return (
    <Button
      type="submit"
      form={form}
      variant="primary"
      busy={state.isBusy}
      icon={<RefreshCw size={14} />}
      disabled={state.isDisabled}
      title={mayChange ? (conditions.isDisabled ? 'Reconnect the provider first' : undefined) : PLAN_FORBIDS}
    >
      {state.label}
    </Button>
  );
}
