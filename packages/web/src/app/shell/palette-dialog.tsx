import { Dialog as Radix } from 'radix-ui';
import { lazy, Suspense, useState } from 'react';
import { fetchCode } from '../../ui/fetch-code.ts';
import { useFocusReturn } from '../../ui/focus-return.ts';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { type PaletteActions, SEARCH_BOX } from './palette-box.ts';

/** Loads the palette's code. */
export const loadPalette = () => fetchCode(() => import('./command-palette.tsx'));
const CommandPalette = lazy(loadPalette);

const TITLE = 'Search and commands';

/** The command palette. Its search box appears at once; the text typed before the list loads is searched afterwards. */
export function PaletteDialog(actions: PaletteActions) {
  const [search, setSearch] = useState('');
  const { remember, restore } = useFocusReturn();
  return (
    <Radix.Root open onOpenChange={(open) => !open && actions.onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={remember}
          onCloseAutoFocus={restore}
          className="fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-xl animate-rise overflow-hidden rounded-md bg-raised shadow-high"
        >
          <Radix.Title className="sr-only">{TITLE}</Radix.Title>
          <Suspense
            fallback={
              <>
                <input
                  aria-label={TITLE}
                  autoComplete="off"
                  spellCheck={false}
                  value={search}
                  onChange={({ target }) => setSearch(target.value)}
                  {...SEARCH_BOX}
                />
                <LoadingRows />
              </>
            }
          >
            <CommandPalette search={search} onSearch={setSearch} {...actions} />
          </Suspense>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
