import { z } from 'zod';

/** Bounds of a column layout: columns, longest name (UTF-16 units), and widths (px). */
export const COLUMN_BOUNDS = { columns: 100, name: 100, minWidth: 48, maxWidth: 1000 } as const;

/**
 * How a table shows its columns, in their order: `[{ name: 'title', width: 320 }, { name: 'body', isHidden: true }]`. Fields
 * that it does not name follow. A column without a width is as wide as its content.
 */
export const columnLayoutSchema = z
  .array(
    z.object({
      name: z.string().max(COLUMN_BOUNDS.name, `Must be ${COLUMN_BOUNDS.name} characters or less`),
      isHidden: z.boolean().optional(),
      width: z.number().int().min(COLUMN_BOUNDS.minWidth).max(COLUMN_BOUNDS.maxWidth).optional(),
    }),
  )
  .max(COLUMN_BOUNDS.columns, `At most ${COLUMN_BOUNDS.columns} columns`);
export type ColumnLayout = z.infer<typeof columnLayoutSchema>;
