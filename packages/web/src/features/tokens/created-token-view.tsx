import type { CreatedToken, FeedFormat } from '@datadeck/contract';
import type { ReactNode } from 'react';
import { callOf } from '../../api/call-of.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface AddressesProps {
  token: string;
  viewId: string;
  /** Path of the page; null while sharing is off. */
  sharePath: string | null;
}

/** The secret addresses by which people open a view, and feed readers and calendars follow it. */
function Addresses({ token, viewId, sharePath }: AddressesProps) {
  const { url } = callOf('viewFeed', { params: { viewId } });
  const addressOf = (format: FeedFormat) =>
    `${location.origin}${url.replace('/api/', '/api/v1/')}?format=${format}&token=${token}`;
  const page = sharePath === null ? undefined : `${location.origin}${sharePath}`;
  return (
    <>
      {page !== undefined && (
        <TextField
          label="Page address"
          hint="For people: a page with the rows, without an account."
          value={page}
          readOnly
          className="font-mono"
          aside={<CopyButton text={page} label="Copy page address" />}
        />
      )}
      <TextField
        label="Feed address"
        hint="For a feed reader (Atom). Everybody who has the address can read the view."
        value={addressOf('atom')}
        readOnly
        className="font-mono"
        aside={<CopyButton text={addressOf('atom')} label="Copy feed address" />}
      />
      <TextField
        label="Calendar address"
        hint="For a calendar (iCalendar). It shows rows that have a date."
        value={addressOf('ical')}
        readOnly
        className="font-mono"
        aside={<CopyButton text={addressOf('ical')} label="Copy calendar address" />}
      />
    </>
  );
}

/** Returns a call of the API by curl. */
function curlOf({ token, viewId }: CreatedToken): string {
  const path = viewId === null ? '/api/accounts' : `/api/data/views/aggregate/${viewId}`;
  return `curl -H 'Authorization: Bearer ${token}' ${location.origin}${path}`;
}

/** Returns a command of the command line, with its settings. */
function commandOf({ token, viewId }: CreatedToken): string {
  const command = viewId === null ? 'search is:open' : `view ${viewId}`;
  return [
    `export DATADECK_URL=${location.origin}`,
    `export DATADECK_TOKEN=${token}`,
    `npx datadeck ${command}`,
  ].join('\n');
}

/** Returns the settings of an assistant that starts a program. */
function assistantOf({ token }: CreatedToken): string {
  const datadeck = {
    command: 'npx',
    args: ['datadeck', 'mcp', '--url', location.origin],
    env: { DATADECK_TOKEN: token },
  };
  return JSON.stringify({ mcpServers: { datadeck } }, null, 2);
}

function Way({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-md border p-4">
      <div>
        <h3 className="text-13 font-semibold">{title}</h3>
        <p className="text-12 text-ink-3">{hint}</p>
      </div>
      {children}
    </section>
  );
}

/** Shows a new token, which no other answer contains, and the ways to use it side by side. */
export function CreatedTokenView({ created, onClose }: { created: CreatedToken; onClose: () => void }) {
  const { token, viewId, sharePath } = created;
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title="Your new token"
      footer={
        <Button variant="primary" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <NoticeLine tone="info">
          Copy the token now: Datadeck stores only its hash and never shows it again.
        </NoticeLine>
        <TextField
          label="Token"
          value={token}
          readOnly
          className="font-mono"
          aside={<CopyButton text={token} label="Copy token" />}
        />
        <div className="grid gap-4 md:grid-cols-2">
          <Way title="curl" hint="A call of the API from a script.">
            <CodeBlock label="Call" code={curlOf(created)} />
          </Way>
          <Way title="Command line" hint="Reads and synchronizes from a terminal.">
            <CodeBlock label="Command" code={commandOf(created)} />
          </Way>
          <Way title="Assistant (MCP)" hint={`Or by its address: ${location.origin}/mcp`}>
            <CodeBlock label="Settings of the assistant" code={assistantOf(created)} />
          </Way>
          <Way title="Page, feed and calendar" hint="Read a view in a browser, a feed reader or a calendar.">
            {viewId === null ? (
              <p className="text-13 text-ink-2">
                A token for one view has an address for each. Choose the scope ‘One view’ when you create it.
              </p>
            ) : (
              <Addresses token={token} viewId={viewId} sharePath={sharePath} />
            )}
          </Way>
        </div>
      </div>
    </Dialog>
  );
}
