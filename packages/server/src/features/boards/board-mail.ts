import type { ChartData, GroupKey } from '@datadeck/contract';
import type { Mail } from '../../platform/mail.ts';
import { beginningOf, escapeHtml, oneLine } from '../notifications/index.ts';
import type { ReadTile } from './read-tiles.ts';

/** What a mail shows of a tile. */
const MAX_GROUPS = 20;
const MAX_ROWS = 10;
const MAX_COLUMNS = 6;
/** Longest text of a cell, UTF-16 units. */
const MAX_CELL = 120;
/** Longest bar, px. */
const BAR = 200;
const FOOTER =
  'You receive this because of the weekly mail of a board in Datadeck. Stop it in the menu of the board.';

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return number.format(value);
  return beginningOf(oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value)), MAX_CELL);
}

const keyText = (key: GroupKey) => (key === null ? '(none)' : cellText(key));

/** A table of a mail: a heading, cells, and for some rows the length of a bar from 0 to 1. */
interface MailTable {
  head: readonly string[];
  rows: readonly { cells: readonly string[]; bar?: number }[];
}

/** Returns the groups of a chart with their numbers; the bars are of the first series. */
function tableOfChart({ groups, series, combinedGroups, axis }: ChartData): MailTable {
  const first = axis === 'times' ? Math.max(0, groups.length - MAX_GROUPS) : 0;
  const shown = groups.slice(first, first + MAX_GROUPS);
  const values = shown.map((_, index) => series.map((one) => one.values[first + index] ?? null));
  const largest = Math.max(...values.map(([value]) => Math.abs(value ?? 0)), 0);
  const isOthers = (index: number) => combinedGroups > 0 && first + index === groups.length - 1;
  const names = series.length > 1 ? series.map(({ key }) => keyText(key)) : [''];
  return {
    head: ['', ...names],
    rows: shown.map((key, index) => ({
      cells: [isOthers(index) ? 'others' : keyText(key), ...(values[index] ?? []).map(cellText)],
      ...(series.length === 1 && largest > 0 && { bar: Math.abs(values[index]?.[0] ?? 0) / largest }),
    })),
  };
}

function tableOfRows(rows: readonly unknown[]): MailTable {
  const objects = rows
    .slice(0, MAX_ROWS)
    .map((row) =>
      typeof row === 'object' && row !== null && !Array.isArray(row)
        ? (row as Record<string, unknown>)
        : { value: row },
    );
  const head = [...new Set(objects.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  return {
    head: head.map((name) => cellText(name)),
    rows: objects.map((row) => ({
      cells: head.map((name) => (Object.hasOwn(row, name) ? cellText(row[name]) : '')),
    })),
  };
}

/** What a tile is in a mail. */
interface Section {
  title?: string;
  lines: readonly string[];
  /** A single number, written large. */
  figure?: string;
  table?: MailTable;
}

function sectionOf(tile: ReadTile): Section {
  switch (tile.kind) {
    case 'text':
      return {
        lines: tile.text
          .split('\n')
          .map(oneLine)
          .filter((line) => line !== ''),
      };
    case 'search':
      return { title: tile.title, lines: ['A search: see its matches on the board.'] };
    case 'failure':
      return { title: tile.title, lines: [oneLine(tile.message)] };
    case 'chart': {
      const { data, title } = tile;
      if (data.chart.kind === 'number' || data.groups.length === 0)
        return { title, lines: [], figure: cellText(data.series[0]?.values[0]) || '0' };
      const rest = data.groups.length - MAX_GROUPS;
      return {
        title,
        lines: rest > 0 ? [`And ${number.format(rest)} more.`] : [],
        table: tableOfChart(data),
      };
    }
    case 'rows': {
      const { title, rows, count } = tile;
      if (rows.length === 0) return { title, lines: [`${number.format(count)} rows.`] };
      const rest = count - Math.min(rows.length, MAX_ROWS);
      return { title, lines: rest > 0 ? [`And ${number.format(rest)} more.`] : [], table: tableOfRows(rows) };
    }
  }
}

const STYLE = 'border-bottom:1px solid #e5e5ea;padding:4px 8px;text-align:left;font-size:13px';

function htmlTable({ head, rows }: MailTable): string {
  const heads = head.some((name) => name !== '')
    ? `<tr>${head.map((name) => `<th style="${STYLE}">${escapeHtml(name)}</th>`).join('')}</tr>`
    : '';
  const bodies = rows.map(({ cells, bar }) => {
    const texts = cells.map((cell) => `<td style="${STYLE}">${escapeHtml(cell)}</td>`).join('');
    const width = bar === undefined ? undefined : Math.max(1, Math.round(bar * BAR));
    const barCell =
      width === undefined
        ? ''
        : `<td style="${STYLE}"><div style="background:#3355dd;height:10px;width:${width}px"></div></td>`;
    return `<tr>${texts}${barCell}</tr>`;
  });
  return `<table style="border-collapse:collapse">${heads}${bodies.join('')}</table>`;
}

function htmlSection({ title, lines, figure, table }: Section): string {
  return [
    ...(title === undefined ? [] : [`<h3>${escapeHtml(oneLine(title))}</h3>`]),
    ...(figure === undefined ? [] : [`<p style="font-size:24px;font-weight:600">${escapeHtml(figure)}</p>`]),
    ...(table ? [htmlTable(table)] : []),
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
  ].join('\n');
}

function textSection({ title, lines, figure, table }: Section): string {
  return [
    ...(title === undefined ? [] : [oneLine(title)]),
    ...(figure === undefined ? [] : [`  ${figure}`]),
    ...(table?.rows.map(({ cells }) => `  ${cells.filter((cell) => cell !== '').join(' · ')}`) ?? []),
    ...lines,
  ].join('\n');
}

/** Writes a board as a mail: tables, with bars beside the numbers of charts, and no remote content. */
export function writeBoardMail({
  title,
  tiles,
  url,
}: {
  title: string;
  tiles: readonly ReadTile[];
  url: string;
}): Pick<Mail, 'subject' | 'text' | 'html'> {
  const name = oneLine(title);
  const sections = tiles.map(sectionOf);
  return {
    subject: `Your board: ${name}`,
    text: [name, ...sections.map(textSection), `Open the board: ${url}\n${FOOTER}`].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Board</title></head><body>',
      `<h2>${escapeHtml(name)}</h2>`,
      ...sections.map(htmlSection),
      `<p><a href="${escapeHtml(url)}">Open the board</a></p>`,
      `<p>${escapeHtml(FOOTER)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
