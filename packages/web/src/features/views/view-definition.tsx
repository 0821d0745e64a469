import { ChevronDown } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useState } from 'react';
import { z } from 'zod';
import { readJson, storeJson } from '../../api/json-storage.ts';
import type { View } from '../../api/models.ts';
import { CodeBlock } from '../../ui/code-block.tsx';

/** Local storage key of whether the panel is open. */
const OPEN_KEY = 'dd-viewDefinition';

/** The read-only query of a view, and its search, in a panel that stays open until it is closed. */
export function ViewDefinition({ view }: { view: View }) {
  const [isOpen, setIsOpen] = useState(() => readJson(OPEN_KEY, true, (value) => z.boolean().parse(value)));
  const change = (next: boolean) => {
    setIsOpen(next);
    storeJson(OPEN_KEY, next);
  };
  return (
    <Collapsible.Root open={isOpen} onOpenChange={change} className="border-t">
      <Collapsible.Trigger className="group flex h-10 w-full items-center gap-2 px-4 text-13 font-medium text-ink-2 hover:text-ink focus-visible:-outline-offset-2">
        <ChevronDown
          aria-hidden="true"
          size={14}
          className="-rotate-90 text-ink-3 transition-transform duration-100 group-data-[state=open]:rotate-0"
        />
        How it is computed
      </Collapsible.Trigger>
      <Collapsible.Content className="flex flex-col gap-4 px-4 pb-4">
        {view.search !== '' && <CodeBlock label="Search" code={view.search} />}
        <CodeBlock label="Query" code={view.expression} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
