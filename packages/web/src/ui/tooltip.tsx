import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** Shows a text on hover and focus of the child, which must accept a ref. */
export function Tooltip({ content, children }: { content: ReactNode; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={200}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-60 max-w-72 animate-fade rounded-sm bg-raised px-3 py-2 text-12 text-ink-2 shadow-high"
          >
            {content}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
