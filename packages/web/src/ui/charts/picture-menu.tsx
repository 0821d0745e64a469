import { Download } from 'lucide-react';
import { IconButton } from '../icon-button.tsx';
import { Menu } from '../menu.tsx';
import { type PictureHandle, pictureItems } from './picture-items.ts';

/** Saves a chart as SVG or PNG, or copies it as an image. */
export function PictureMenu({ handle }: { handle: PictureHandle }) {
  return (
    <Menu
      trigger={
        <IconButton size="sm" label="Save the picture" icon={<Download aria-hidden="true" size={14} />} />
      }
      items={pictureItems(() => handle)}
    />
  );
}
