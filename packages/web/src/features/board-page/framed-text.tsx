import { lazy, Suspense } from 'react';
import { fetchCode } from '../../ui/fetch-code.ts';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { TileFrame } from './tile-frame.tsx';
import type { TileArrangement } from './use-arrangement.ts';

const TextTile = lazy(async () => fetchCode(async () => import('./text-tile.tsx')));

/** A text in the frame of its tile. Its code is loaded with the first one. */
export function FramedText({
  text,
  arrangement,
}: {
  text: string;
  arrangement: TileArrangement | undefined;
}) {
  return (
    <TileFrame isPadded title={undefined} arrangement={arrangement}>
      <Suspense fallback={<LoadingRows rows={1} />}>
        <TextTile text={text} />
      </Suspense>
    </TileFrame>
  );
}
