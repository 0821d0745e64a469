import { z } from 'zod';

/** How a sync changed a record. */
export const CHANGE_KINDS = ['added', 'updated', 'removed'] as const;
/** One of `CHANGE_KINDS`, e.g. `updated`. */
export const changeKindSchema = z.enum(CHANGE_KINDS);
export type ChangeKind = z.infer<typeof changeKindSchema>;

/** A record that a sync changed: `{ recordId: '1890', title: 'Fix typo', kind: 'added' }`. */
export const changedRecordSchema = z.object({
  /** The provider's id. */
  recordId: z.string(),
  /** Title, subject or name; empty if the record has none. */
  title: z.string(),
  kind: changeKindSchema,
});
export type ChangedRecord = z.infer<typeof changedRecordSchema>;

/** A page of 20 changed records: `{ results: […], count: 43, counts: { added: 40, updated: 3 }, isKept: true }`. */
export const syncChangesSchema = z.object({
  results: z.array(changedRecordSchema),
  count: z.number().int(),
  /** Number of changed records in all pages, by kind. */
  counts: z.record(changeKindSchema, z.number().int()),
  /** False when the changes were already deleted and only the summary of the sync remains. */
  isKept: z.boolean(),
});
export type SyncChanges = z.infer<typeof syncChangesSchema>;

/** The documents of a record before and after a sync; null where none existed. `{ kind: 'added', before: null, after: {…} }`. */
export const recordChangeSchema = z.object({
  kind: changeKindSchema,
  before: z.unknown(),
  after: z.unknown(),
});
export type RecordChange = z.infer<typeof recordChangeSchema>;

/** A version of a record and its sync: `{ kind: 'updated', sync: { _id: '…', number: 12, at: '2026-03-01T08:00:00.000Z' } }`. */
export const recordVersionSchema = z.object({
  /** `kept`: the oldest stored version, whose previous version is no longer stored. */
  kind: changeKindSchema.or(z.literal('kept')),
  /** Null when the sync itself was deleted. */
  sync: z.object({ _id: z.string(), number: z.number().int(), at: z.string() }).nullable(),
});
export type RecordVersion = z.infer<typeof recordVersionSchema>;

/** The stored versions of a record, newest first, and its title: `{ title: 'Fix typo', results: […] }`. */
export const recordVersionsSchema = z.object({ title: z.string(), results: z.array(recordVersionSchema) });
export type RecordVersions = z.infer<typeof recordVersionsSchema>;
