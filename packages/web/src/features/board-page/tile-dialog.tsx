import {
  BOARD_TEXTS,
  SEARCH_LIMITS,
  TILE_PICTURES,
  type Tile,
  type TilePicture,
  tileSchema,
  type ViewTile,
} from '@datadeck/contract';
import { type FormEvent, useId, useState } from 'react';
import type { View } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { ChartOfView } from '../charts/chart-of-view.tsx';
import { ChartPanel } from '../charts/chart-panel.tsx';

const PICTURE_TITLES: Readonly<Record<TilePicture, string>> = {
  chart: 'Chart',
  table: 'Table',
  list: 'List',
};
const KIND_TITLES: Readonly<Record<Tile['kind'], string>> = {
  view: 'View',
  text: 'Text',
  search: 'Search',
};

interface TileDialogProps {
  /** The tile until now, or a new one. */
  tile: Tile;
  isNew: boolean;
  views: readonly View[];
  onSave: (tile: Tile) => void;
  onClose: () => void;
}

/** Returns the messages for the fields of a tile, by name. */
function problemsOf(tile: Tile): Record<string, string> {
  const { error } = tileSchema.safeParse(tile);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]));
}

/** Returns a tile without the settings of its chart, which belong to another view. */
function withoutChart({ chart: _chart, ...tile }: ViewTile): ViewTile {
  return tile;
}

/** Asks what a tile shows. */
export function TileDialog({ tile: before, isNew, views, onSave, onClose }: TileDialogProps) {
  const formId = useId();
  const [tile, setTile] = useState(before);
  const [isTouched, setIsTouched] = useState(false);
  const problems = problemsOf(tile);
  const shown = isTouched ? problems : {};
  const options = views.map(({ id, title }) => ({ value: id, label: title }));
  const isChanged = JSON.stringify(tile) !== JSON.stringify(before);
  const close = useUnsaved(isChanged, onClose);
  const view = tile.kind === 'view' ? views.find(({ id }) => id === tile.viewId) : undefined;
  const isTitled = tile.kind !== 'text';

  function save(event: FormEvent) {
    event.preventDefault();
    setIsTouched(true);
    if (Object.keys(problems).length > 0) return;
    onSave(tile);
    onClose();
  }

  return (
    <Dialog
      open
      onClose={close}
      title={`${isNew ? 'Add' : 'Edit'} ${KIND_TITLES[tile.kind].toLowerCase()}`}
      footer={
        <Button type="submit" form={formId} variant="primary" disabled={!isNew && !isChanged}>
          {isNew ? 'Add' : 'Save'}
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={save} className="flex flex-col gap-4">
        {tile.kind === 'view' && (
          <>
            <Select
              label="View"
              required
              value={options.find(({ value }) => value === tile.viewId) ?? null}
              options={options}
              emptyText="There are no views yet"
              error={shown.viewId}
              onChange={(option) => setTile({ ...withoutChart(tile), viewId: option?.value ?? '' })}
            />
            <ChoiceField
              label="Show as"
              value={tile.picture}
              options={TILE_PICTURES.map((value) => ({ value, label: PICTURE_TITLES[value] }))}
              onChange={(picture) => setTile({ ...tile, picture })}
            />
            {tile.picture === 'chart' && view && (
              <div className="rounded-sm border">
                <ChartPanel key={view.id} onChart={(chart) => setTile({ ...tile, chart })}>
                  {(onData) => (
                    <ChartOfView
                      isTile
                      viewId={view.id}
                      title={view.title}
                      chart={tile.chart ?? view.display?.chart}
                      height={160}
                      onData={onData}
                      onChart={(chart) => setTile({ ...tile, chart })}
                    />
                  )}
                </ChartPanel>
              </div>
            )}
          </>
        )}
        {tile.kind === 'text' && (
          <TextArea
            label="Text"
            rows={8}
            maxLength={BOARD_TEXTS.markdown}
            value={tile.text}
            error={shown.text}
            hint="Markdown: # for a heading, ** for bold, - for a list, [text](address) for a link."
            onChange={(event) => setTile({ ...tile, text: event.target.value })}
          />
        )}
        {tile.kind === 'search' && (
          <TextField
            label="Search"
            required
            data-autofocus
            maxLength={SEARCH_LIMITS.text}
            placeholder="is:unread from:amy"
            value={tile.search}
            error={shown.search}
            onChange={(event) => setTile({ ...tile, search: event.target.value })}
          />
        )}
        {isTitled && (
          <TextField
            label="Title"
            maxLength={BOARD_TEXTS.tileTitle}
            hint={tile.kind === 'view' ? 'Without one, the title of the view' : 'Without one, the search'}
            value={tile.title}
            error={shown.title}
            onChange={(event) => setTile({ ...tile, title: event.target.value })}
          />
        )}
      </form>
    </Dialog>
  );
}
