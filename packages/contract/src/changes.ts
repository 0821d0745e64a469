import { z } from 'zod';

export const CHANGE_KINDS = ['added', 'updated', 'removed'] as const;
export const changeKindSchema = z.enum(CHANGE_KINDS);
export type ChangeKind = z.infer<typeof changeKindSchema>;

/** A record that a sync changed. */
export const changedRecordSchema = z.object({
  /** Id at the provider. */
  recordId: z.string(),
  /** Its title, subject or name; empty without one. */
  title: z.string(),
  kind: changeKindSchema,
});
export type ChangedRecord = z.infer<typeof changedRecordSchema>;

/** A page of what a sync changed. */
export const syncChangesSchema = z.object({
  results: z.array(changedRecordSchema),
  count: z.number().int(),
  /** Of all pages, by kind. */
  counts: z.record(changeKindSchema, z.number().int()),
  /** False when the sync is so old that only its receipt is kept. */
  isKept: z.boolean(),
});
export type SyncChanges = z.infer<typeof syncChangesSchema>;

/** A record before and after a sync: the documents as the provider gave them; null where there was none. */
export const recordChangeSchema = z.object({
  kind: changeKindSchema,
  before: z.unknown(),
  after: z.unknown(),
});
export type RecordChange = z.infer<typeof recordChangeSchema>;

/** A version of a record and the sync that brought it. */
export const recordVersionSchema = z.object({
  /** `kept`: the oldest version that is kept, whose forerunner is not. */
  kind: changeKindSchema.or(z.literal('kept')),
  /** Null when the sync itself was deleted. */
  sync: z.object({ _id: z.string(), number: z.number().int(), at: z.string() }).nullable(),
});
export type RecordVersion = z.infer<typeof recordVersionSchema>;

/** Newest first. */
export const recordVersionsSchema = z.object({ title: z.string(), results: z.array(recordVersionSchema) });
export type RecordVersions = z.infer<typeof recordVersionsSchema>;
