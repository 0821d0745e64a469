import { useState } from 'react';
import { Link } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { Switch } from '../../ui/switch.tsx';
import { areShortcutsOn, switchShortcuts } from './shortcuts.ts';

const KEYS: [string, [keys: string, meaning: string][]][] = [
  [
    'Anywhere',
    [
      ['Ctrl K', 'Search and commands'],
      ['/', 'Search all records'],
      ['?', 'Show keyboard shortcuts'],
      ['[', 'Collapse or expand the sidebar'],
      ['Esc', 'Close the open dialog or menu'],
    ],
  ],
  [
    'Go to',
    [
      ['G O', 'Home'],
      ['G P', 'Providers'],
      ['G S', 'Synchronizations'],
      ['G H', 'History'],
      ['G F', 'Search'],
      ['G Q', 'Query'],
      ['G V', 'Views'],
      ['G B', 'Boards'],
      ['G L', 'Alerts'],
      ['G A', 'Account'],
    ],
  ],
  [
    'Search results',
    [
      ['↓', 'Go from the box to the results'],
      ['J K', 'Move between results'],
      ['Enter', 'Open the result'],
      ['Esc', 'Go back to the box'],
    ],
  ],
  [
    'Query',
    [
      ['Ctrl Enter', 'Run the template or the expression'],
      ['Ctrl Space', 'Suggest fields and functions'],
      ['Shift Alt F', 'Format the expression'],
    ],
  ],
  [
    'Results tree',
    [
      ['↑ ↓', 'Move between lines'],
      ['← →', 'Collapse or expand a value'],
      ['C', 'Copy the value'],
      ['P', 'Copy the path'],
      ['H', 'Show the history of the record'],
      ['Enter', 'Insert the field into the expression'],
    ],
  ],
];

/** Guides within the app: where each is, and what it explains. */
const DOCS: [title: string, address: string, text: string][] = [
  ['Operators of the search', PATHS.search, '‘How to search’ lists from:, is:unread, after: and the others.'],
  ['Expressions', PATHS.query, 'The editor explains each function and field at the cursor.'],
  ['Tokens, command line, assistants', PATHS.account, 'A new token shows how each is connected.'],
  ['API reference', '/api/v1/reference', 'Every call, with examples to try.'],
];

/** Links to the guides; the manual is the folder docs of the source code. */
function Docs({ onClose }: { onClose: () => void }) {
  return (
    <section>
      <h3 className="mb-2 text-12 font-medium text-ink-3">Documentation</h3>
      <ul className="flex flex-col gap-2">
        {DOCS.map(([title, address, text]) => (
          <li key={title} className="text-13">
            {address.startsWith('/api/') ? (
              <a
                href={address}
                target="_blank"
                rel="noreferrer"
                className="font-medium text-accent-text hover:underline"
              >
                {title}
              </a>
            ) : (
              <Link to={address} onClick={onClose} className="font-medium text-accent-text hover:underline">
                {title}
              </Link>
            )}
            <p className="text-12 text-ink-3">{text}</p>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-12 text-ink-3">
        The guides for people and administrators are the folders <code className="font-mono">docs/use</code>{' '}
        and <code className="font-mono">docs/run</code> of the source code.
      </p>
    </section>
  );
}

/** Lists the keyboard shortcuts, and where the documentation is. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const [isOn, setIsOn] = useState(areShortcutsOn);
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <div className="grid gap-6 sm:grid-cols-2">
        {KEYS.map(([title, keys]) => (
          <section key={title}>
            <h3 className="mb-2 text-12 font-medium text-ink-3">{title}</h3>
            <dl className="flex flex-col gap-1.5">
              {keys.map(([key, meaning]) => (
                <div key={key} className="flex items-center justify-between gap-3">
                  <dt className="text-13 text-ink-2">{meaning}</dt>
                  <dd className="flex gap-1">
                    {key.split(' ').map((part) => (
                      <KeyHint key={part} keys={part} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <Docs onClose={onClose} />
      </div>
      <div className="mt-6 border-t pt-4">
        <Switch
          label="Single-key shortcuts"
          checked={isOn}
          onChange={(on) => {
            switchShortcuts(on);
            setIsOn(on);
          }}
        />
      </div>
    </Dialog>
  );
}
