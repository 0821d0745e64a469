import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import {
  type BrowserNotifications,
  turnOffNotifications,
  turnOnNotifications,
  useBrowserNotifications,
} from './browser-notifications.ts';

const SERVICE_WORKERS_ONLY = 'This browser does not let a page show notifications.';
const REASONS: Record<BrowserNotifications, string> = {
  on: 'On: alerts that use the bell also appear outside the page, while a tab with Datadeck is open.',
  off: 'Alerts that use the bell can also appear outside the page, while a tab with Datadeck is open.',
  denied: 'This browser blocks notifications of this site. Allow them in its settings of the site.',
  insecure: 'Browsers show notifications only of sites with https, and of localhost.',
  unsupported: 'This browser has no notifications.',
};

/** Turns notifications of this browser on or off, or says why it shows none. */
export function BrowserNotificationsCard() {
  const state = useBrowserNotifications();
  const [hasFailed, setHasFailed] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  async function turnOn() {
    setIsAsking(true);
    setHasFailed(!(await turnOnNotifications()));
    setIsAsking(false);
  }
  return (
    <Card title="Notifications of this browser">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p aria-live="polite" className="text-13 text-ink-2">
          {hasFailed ? SERVICE_WORKERS_ONLY : REASONS[state]}
        </p>
        {state === 'on' && <Button onClick={turnOffNotifications}>Turn off</Button>}
        {state === 'off' && !hasFailed && (
          <Button busy={isAsking} disabled={isAsking} onClick={() => void turnOn()}>
            Turn on
          </Button>
        )}
      </div>
    </Card>
  );
}
