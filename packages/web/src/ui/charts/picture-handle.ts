import type { ChartData } from '@datadeck/contract';
import type { RefObject } from 'react';
import { saveFile } from '../save-file.ts';
import { toasts } from '../toast.tsx';
import { colorOf } from './chart-colors.ts';
import { chartNotes, chartTitle, seriesLabel } from './chart-labels.ts';
import { pngOf, svgFileOf } from './picture-file.ts';
import type { PictureHandle } from './picture-items.ts';

interface DrawnChart {
  data: ChartData;
  title: string;
  visible: readonly number[];
  /** The element that has the drawing. */
  picture: RefObject<HTMLElement | null>;
}

/** Returns what saves a chart as SVG or PNG, or copies it as an image. */
export function pictureHandle({ data, title, visible, picture }: DrawnChart): PictureHandle {
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
  return {
    saveSvg: () => saveFile(new Blob([drawn().text], { type: 'image/svg+xml' }), `${title}.svg`),
    async savePng() {
      try {
        saveFile(await pngOf(drawn()), `${title}.png`);
      } catch {
        toasts.error('The picture could not be saved. Save it as SVG instead.');
      }
    },
    async copy() {
      try {
        // Safari needs the promise, not its result.
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(drawn()) })]);
        toasts.success('The picture was copied');
      } catch {
        toasts.error('This browser does not let the page copy images. Save the picture instead.');
      }
    },
  };
}
