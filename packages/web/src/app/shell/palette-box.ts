export interface PaletteActions {
  onClose: () => void;
  onUpgrade: () => void;
  onShortcuts: () => void;
}

/** Props of the palette's search box, shared by the loaded palette and its placeholder. */
export const SEARCH_BOX = {
  placeholder: 'Search records, pages, templates, views and commands',
  className: 'h-12 w-full border-b bg-transparent px-4 text-14 outline-none placeholder:text-ink-3',
};
