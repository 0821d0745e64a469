import type { RecordReading } from '@datadeck/contract';
import { useMemo } from 'react';
import { countOf } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { STYLE_NONCE } from '../../ui/style-nonce.ts';
import { markdownLook } from './markdown-look.ts';
import { MAIL_LOOK, makeMailSafe } from './safe-mail.ts';

interface MailFrameProps {
  html: string;
  /** Format of the text from which the server wrote the HTML: a mail is `plain`. */
  textFormat: RecordReading['textFormat'];
}

/** The formatted text of a record, in a frame of its own origin in which no script runs and which loads nothing. */
export default function MailFrame({ html, textFormat }: MailFrameProps) {
  const isMail = textFormat === 'plain';
  const { document, blocked } = useMemo(
    () => makeMailSafe(html, STYLE_NONCE, isMail ? MAIL_LOOK : markdownLook()),
    [html, isMail],
  );
  const images = blocked > 0 ? `${countOf(blocked, 'image was', 'images were')} not loaded` : '';
  return (
    <div className="flex flex-col gap-3">
      {isMail && (
        <NoticeLine tone="info">
          Remote content is blocked, so the sender does not learn that you read this mail.
          {images !== '' && ` ${images}.`}
        </NoticeLine>
      )}
      {!isMail && images !== '' && (
        <NoticeLine tone="info">{images}, so nobody learns that you read this text.</NoticeLine>
      )}
      <iframe
        title={isMail ? 'Formatted mail' : 'Formatted text'}
        // Links may open tabs; everything else of the sandbox holds.
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        srcDoc={document}
        className={isMail ? 'h-[50dvh] min-h-64 w-full rounded-sm border' : 'h-[50dvh] min-h-64 w-full'}
      />
    </div>
  );
}
