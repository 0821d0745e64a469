import type { ChartData } from '@datadeck/contract';
import { Download } from 'lucide-react';
import type { RefObject } from 'react';
import { IconButton } from '../icon-button.tsx';
import { Menu } from '../menu.tsx';
import { saveFile } from '../save-file.ts';
import { toasts } from '../toast.tsx';
import { colorOf } from './chart-colors.ts';
import { chartNotes, chartTitle, seriesLabel } from './chart-labels.ts';
import { pngOf, svgFileOf } from './picture-file.ts';

interface PictureMenuProps {
  data: ChartData;
  title: string;
  visible: readonly number[];
  /** The element that has the drawing. */
  picture: RefObject<HTMLElement | null>;
}

/** Saves a chart as SVG or PNG, or copies it as an image, as it is drawn now. */
export function PictureMenu({ data, title, visible, picture }: PictureMenuProps) {
  const hasLegend = data.series.length > 1 && data.chart.kind !== 'heat-map';
  function drawn() {
    const svg = picture.current?.querySelector('svg');
    if (!svg) throw new Error('there is no drawing');
    return svgFileOf(svg, {
      title,
      subtitle: chartTitle(data),
      notes: chartNotes(data).join(' · '),
      legend: hasLegend
        ? visible.map((index) => ({ name: seriesLabel(data, index), className: colorOf(data, index).fill }))
        : [],
    });
  }
  const savePng = async () => {
    try {
      saveFile(await pngOf(drawn()), `${title}.png`);
    } catch {
      toasts.error('The picture could not be saved. Save it as SVG instead.');
    }
  };
  const copy = async () => {
    try {
      // Safari needs the promise, not its result.
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(drawn()) })]);
      toasts.success('The picture was copied');
    } catch {
      toasts.error('This browser does not let the page copy images. Save the picture instead.');
    }
  };
  return (
    <Menu
      trigger={
        <IconButton size="sm" label="Save the picture" icon={<Download aria-hidden="true" size={14} />} />
      }
      items={[
        {
          label: 'SVG',
          onSelect: () => saveFile(new Blob([drawn().text], { type: 'image/svg+xml' }), `${title}.svg`),
        },
        { label: 'PNG', onSelect: () => void savePng() },
        { label: 'Copy as image', onSelect: () => void copy() },
      ]}
    />
  );
}
