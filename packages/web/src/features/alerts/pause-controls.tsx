import type { Alert } from '@datadeck/contract';
import { AlarmClock, Pause, Play } from 'lucide-react';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { watchText } from './alert-words.ts';
import { snoozeTimes } from './snooze-times.ts';
import { useAlertChanges } from './use-alert-changes.ts';

/** Pauses an alert for good or for some time, or resumes it. */
export function PauseControls({ alert }: { alert: Alert }) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const timeZone = useTimeZone();
  const { isSaving, pause, resume, snooze } = useAlertChanges(alert);
  const isSilent = alert.isPaused || alert.snoozedUntil !== null;
  const name = `${alert.viewTitle}, ${watchText(alert)}`;
  return (
    <>
      <Button
        size="sm"
        icon={isSilent ? <Play size={14} /> : <Pause size={14} />}
        aria-label={`${isSilent ? 'Resume' : 'Pause'}: ${name}`}
        busy={isSaving}
        disabled={!mayChange || isSaving}
        title={forbidden}
        onClick={() => void (isSilent ? resume() : pause())}
      >
        {isSilent ? 'Resume' : 'Pause'}
      </Button>
      <Menu
        trigger={
          <Button
            size="sm"
            icon={<AlarmClock size={14} />}
            aria-label={`Snooze: ${name}`}
            disabled={!mayChange || isSaving}
            title={forbidden ?? 'Reports afterwards what changed until then'}
          >
            Snooze
          </Button>
        }
        items={snoozeTimes(new Date(), timeZone).map(({ label, until }) => ({
          label,
          onSelect: () => void snooze(until),
        }))}
      />
    </>
  );
}
