import { useEffect, useRef } from 'react';
import type { Notification as Notice } from '../../api/models.ts';
import { useNotificationsQuery } from './notifications-api.ts';

/** Most notifications that are shown at once; the bell has them all. */
const MOST = 3;

/** Shows an alert as a notification of the browser. Pages of several tabs show it once, because it has the same tag. */
function show(notice: Notice, onOpen: (notice: Notice) => void): void {
  const body = notice.rows.length > 0 ? notice.rows.map(({ text }) => text).join('\n') : notice.message;
  const shown = new Notification(notice.title, { body, tag: notice.id, icon: '/icon-192.png' });
  shown.onclick = () => {
    window.focus();
    shown.close();
    onOpen(notice);
  };
}

/** Shows alerts that arrive while the page is open as notifications of the browser. */
export default function BrowserNotifier({ onOpen }: { onOpen: (notice: Notice) => void }) {
  const { data } = useNotificationsQuery();
  /** When the newest known notification was created; undefined before the first answer. */
  const newest = useRef<string>(undefined);
  useEffect(() => {
    if (!data) return;
    const known = newest.current;
    newest.current = data.results[0]?.created_at ?? known ?? '';
    if (known === undefined) return;
    const arrived = data.results.filter(
      ({ created_at, isRead, viewId }) => created_at > known && !isRead && viewId !== null,
    );
    for (const notice of arrived.slice(0, MOST)) show(notice, onOpen);
  }, [data, onOpen]);
  return null;
}
