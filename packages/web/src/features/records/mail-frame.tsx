import type { RecordReading } from '@datadeck/contract';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { countOf } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { STYLE_NONCE } from '../../ui/style-nonce.ts';
import { estimateHeight } from './frame-height.ts';
import { markdownLook } from './markdown-look.ts';
import { MAIL_LOOK, makeMailSafe } from './safe-mail.ts';

/** Margins of a document and some air, so that short texts need no scrolling, px. */
const SPARE = { mail: 48, markdown: 16 } as const;

interface MailFrameProps {
  html: string;
  /** Format of the text from which the server wrote the HTML: a mail is `plain`. */
  textFormat: RecordReading['textFormat'];
}

/** The formatted text of a record, in a frame of its own origin in which no script runs and which loads nothing. */
export default function MailFrame({ html, textFormat }: MailFrameProps) {
  const isMail = textFormat === 'plain';
  const { document, body, hasSpacing, blocked } = useMemo(
    () => makeMailSafe(html, STYLE_NONCE, isMail ? MAIL_LOOK : markdownLook()),
    [html, isMail],
  );
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    // In tests without layout, a usual width.
    setHeight(
      SPARE[isMail ? 'mail' : 'markdown'] + 1.1 * estimateHeight(body, frame.current?.clientWidth || 640),
    );
  }, [body, isMail]);
  // Of a mail with a layout of its own, the text says only the least height.
  const least = isMail && (hasSpacing || body.querySelector('table, img') !== null) ? '50dvh' : '6rem';
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
        ref={frame}
        className={isMail ? 'w-full rounded-sm border' : 'w-full'}
        style={{ height: `clamp(${least}, ${Math.ceil(height)}px, 75dvh)` }}
      />
    </div>
  );
}
