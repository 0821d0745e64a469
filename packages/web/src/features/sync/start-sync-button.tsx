import { RefreshCw } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { type StartConditions, startState } from './start-state.ts';

interface StartSyncButtonProps extends Omit<StartConditions, 'mayChange'> {
  /** Id of the settings form that the button submits. */
  form: ComponentProps<'button'>['form'];
}

/** Starts a sync by submitting the settings form. */
export function StartSyncButton({ form, ...conditions }: StartSyncButtonProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
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
      title={forbidden ?? (conditions.isDisabled ? 'Reconnect the provider first' : undefined)}
    >
      {state.label}
    </Button>
  );
}
