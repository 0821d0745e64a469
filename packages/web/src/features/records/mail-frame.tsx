import { useMemo } from 'react';
import { countOf } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { STYLE_NONCE } from '../../ui/style-nonce.ts';
import { makeMailSafe } from './safe-mail.ts';

/** The formatted text of a mail, in a frame of its own origin in which no script runs and which loads nothing. */
export default function MailFrame({ html }: { html: string }) {
  const { document, blocked } = useMemo(() => makeMailSafe(html, STYLE_NONCE), [html]);
  return (
    <div className="flex flex-col gap-3">
      <NoticeLine tone="info">
        Remote content is blocked, so the sender does not learn that you read this mail.
        {blocked > 0 && ` ${countOf(blocked, 'image was', 'images were')} not loaded.`}
      </NoticeLine>
      <iframe
        title="Formatted mail"
        // Links may open tabs; everything else of the sandbox holds.
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        srcDoc={document}
        className="h-[50dvh] min-h-64 w-full rounded-sm border"
      />
    </div>
  );
}
