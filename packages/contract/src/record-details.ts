import { z } from 'zod';
import { BOUNDS } from './limits.ts';

/** What a result shows of a mail. */
const mailSummarySchema = z.object({
  /** Name of the sender, e.g. `Amy Winter`; empty without one. */
  sender: z.string().max(200),
  isUnread: z.boolean(),
  /** Names of the first attachments. */
  files: z.array(z.string().max(200)).max(2),
  fileCount: z.number().int(),
  /** Number of stored mails of its conversation, absent if it is the only one; at most `CONVERSATION_MAILS` and one more. */
  mailCount: z.number().int().min(2).optional(),
});
export type MailSummary = z.infer<typeof mailSummarySchema>;

/** Largest number of mails of a conversation that are listed. */
export const CONVERSATION_MAILS = 100;

/** What a result shows of a pull request. */
const pullSummarySchema = z.object({
  /** Repository and number, e.g. `octocat/hello-world #42`. */
  reference: z.string().max(300),
  state: z.enum(['open', 'closed', 'merged', 'unknown']),
  isDraft: z.boolean(),
  /** Whether it is open and waits for a review of people or teams. */
  isReviewRequested: z.boolean(),
});
export type PullSummary = z.infer<typeof pullSummarySchema>;

const countSchema = z.number().int().nonnegative().nullable();

/** What the reading of a pull request shows above its text. Numbers are null where they are not stored. */
export const pullDetailsSchema = pullSummarySchema.extend({
  /** At most `PULL_LABELS`; the colour has six hexadecimal digits, e.g. `d73a4a`, and is null if it is unknown. */
  labels: z.array(z.object({ name: z.string().max(200), color: z.string().length(6).nullable() })).max(50),
  additions: countSchema,
  deletions: countSchema,
  changedFiles: countSchema,
  commits: countSchema,
  comments: countSchema,
});
export type PullDetails = z.infer<typeof pullDetailsSchema>;
export const PULL_LABELS = 50;

/** What a result shows of an issue, a comment, a review, a workflow run, a commit, a release or a repository. */
const workSummarySchema = z.object({
  /** What it is called, e.g. `Workflow run`. */
  kind: z.string().max(40),
  /** Where it belongs, e.g. `octocat/hello-world #42`; may be empty. */
  reference: z.string().max(300),
  /** Its state in lower-case words, e.g. `changes requested`; empty without one. */
  state: z.string().max(40),
});
export type WorkSummary = z.infer<typeof workSummarySchema>;

/** What a search result shows of its kind of record, in addition to the fields that all have. */
export const resultDetailsSchema = z.object({
  mail: mailSummarySchema.optional(),
  pull: pullSummarySchema.optional(),
  work: workSummarySchema.optional(),
});
export type ResultDetails = z.infer<typeof resultDetailsSchema>;

/** Files of a mail, which stay at its provider until a person saves them. */
export const attachmentsSchema = z.object({
  /** In the order of the mail: the position is `index` of the endpoint `attachment`. */
  files: z
    .array(
      z.object({
        /** A name that is safe to save, e.g. `invoice.pdf`; never empty. */
        name: z.string().max(200),
        /** The type that its sender declares, e.g. `application/pdf`. */
        mimeType: z.string().max(200),
        /** Bytes, as the mail says or about; null if unknown. */
        size: z.number().int().nonnegative().nullable(),
      }),
    )
    .max(BOUNDS.attachments),
  /** Whether the mail has more files than are listed. */
  isCutOff: z.boolean(),
  /** Whether the account of the mail can be asked for the files. */
  access: z.enum(['available', 'disconnected', 'reconnect-needed']),
});
export type Attachments = z.infer<typeof attachmentsSchema>;
