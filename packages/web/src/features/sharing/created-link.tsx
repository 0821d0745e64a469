import type { CreatedToken } from '@datadeck/contract';
import { ExternalLink } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CopyLink } from './copy-link.tsx';
import type { Shared } from './shared-subject.ts';

/** Escapes a text for an attribute of HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Returns the HTML that shows the page in a frame. */
function frameOf(link: string, title: string): string {
  return `<iframe src="${escaped(link)}" title="${escaped(title)}" width="100%" height="600" style="border: 0"></iframe>`;
}

interface CreatedLinkProps {
  shared: Shared;
  created: CreatedToken;
  onClose: () => void;
}

/** Shows a new link, which is not stored. */
export function CreatedLink({ shared, created, onClose }: CreatedLinkProps) {
  const { sharePath, expiresAt, hasPassword, frameAncestors } = created;
  if (sharePath === null)
    return (
      <Dialog open onClose={onClose} title="Share" subtitle={shared.title}>
        <NoticeLine tone="error">
          The administrator of this server has turned sharing off. Links open again when it is turned on.
        </NoticeLine>
      </Dialog>
    );
  const link = `${location.origin}${sharePath}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title="The link is ready"
      subtitle={shared.title}
      footer={
        <>
          <a
            href={link}
            target="_blank"
            rel="noreferrer"
            className="mr-auto inline-flex h-8 touch:h-10 items-center gap-2 rounded-sm px-3 text-13 font-medium text-ink-2 hover:bg-hover hover:text-ink"
          >
            <ExternalLink aria-hidden="true" size={14} />
            Open in a new tab
          </a>
          <Button onClick={onClose}>Done</Button>
          <CopyLink link={link} />
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label="Link"
          value={link}
          readOnly
          className="font-mono"
          hint={
            <>
              Copy it now: it is not shown again. It ends{' '}
              <DateTime iso={expiresAt} className="tabular-nums" />.
              {hasPassword && ' Readers also need the password.'}
            </>
          }
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        {frameAncestors.length > 0 && (
          <CodeBlock label="Code for the frame" code={frameOf(link, shared.title)} />
        )}
      </div>
    </Dialog>
  );
}
