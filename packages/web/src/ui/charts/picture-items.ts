import type { MenuItem } from '../menu.tsx';

/** Saves or copies a chart as it is drawn now. */
export interface PictureHandle {
  saveSvg: () => void;
  savePng: () => Promise<void>;
  copy: () => Promise<void>;
}

/** Returns the commands that save or copy a picture. @param read returns the handle of the chart when one is chosen */
export function pictureItems(read: () => PictureHandle | null): MenuItem[] {
  return [
    { label: 'SVG', onSelect: () => read()?.saveSvg() },
    { label: 'PNG', onSelect: () => void read()?.savePng() },
    { label: 'Copy as image', onSelect: () => void read()?.copy() },
  ];
}
