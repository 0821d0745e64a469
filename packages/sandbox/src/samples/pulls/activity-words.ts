/** People who open issues and comment without having contributed. */
export const VISITORS = [
  'bram-de-wit',
  'ines-cardoso',
  'kofi-mensah',
  'lena-fischer',
  'marta-kowalska',
  'niko-virtanen',
  'olu-adeyemi',
  'petra-horvat',
  'quentin-roux',
  'sana-malik',
  'tariq-aziz',
  'wei-zhang',
] as const;

/** Titles of issues; `{part}` is a part of the project. */
export const ISSUE_TITLES = [
  'Crash in {part} after an upgrade',
  '{part} fails when the disk is full',
  '{part} is slow with many entries',
  'Make {part} configurable',
  'Document how to set up {part}',
  '{part}: wrong message when the network is down',
  'Memory of {part} grows without end',
  'Question about {part}',
  'Please support a proxy in {part}',
  '{part} ignores the setting from the environment',
  'Regression: {part} no longer reports errors',
  'Flaky test of {part}',
  'Translate {part} 🌍',
  'Nightly build broke {part}',
] as const;

/** First paragraphs of issues. */
export const ISSUE_TEXTS = [
  'After the update to the latest release this no longer works. The version before is fine.',
  'We run this on three nodes, and it happens on all of them about once a day.',
  'Steps to reproduce:\r\n\r\n1. Start with an empty configuration\r\n2. Run it twice\r\n3. See the error',
  'I could not find anything about this in the documentation. Is there a recommended way?',
  'It would help us a lot. I am happy to open a pull request if you agree with the idea.',
  'Expected: an error that says what to change.\n\nActual: the process exits with status 1 and no output.',
  'Found by our monitoring; see the graph. It starts right after midnight UTC.',
] as const;

/** Comments in conversations. */
export const REMARKS = [
  'Thanks for looking into this!',
  'I can reproduce this on the main branch.',
  'Could you add the output with debug logging?',
  'Works for me with the last commit. Can you try again?',
  'I rebased and addressed the comments. Please have another look.',
  'Let us do the renaming in a separate change.',
  'Same here, on Debian 13.',
  'Is there anything left to do before we can merge this?',
  'I added a test that fails without the fix.',
  'This is a duplicate of an older one, but the description here is better. Keeping both open.',
  'Measured it again: p99 went from 840 ms to 210 ms.',
  'Can we get this into the next release?',
  '👍',
  'The failure in CI is not related, I restarted the job.',
  '> the version before is fine\n\nThat one does not have the new scheduler. I will bisect tomorrow.',
] as const;

/** Comments on lines. */
export const LINE_REMARKS = [
  'Can this be `nil`? The caller above checks for it.',
  'Nit: the name says what it does, not what it is for.',
  'This allocates in the loop.\n\n```suggestion\n\tbuffer := pool.Get()\n```',
  'Why not return the error here?',
  'We have a helper for this next to the tests.',
  'Please add a comment that says why 30 seconds.',
  'Does this hold the lock while it waits?',
  'Nice!',
  'This needs a test with an empty list.',
  'Is the order guaranteed?',
] as const;

/** Answers to comments on lines. */
export const LINE_ANSWERS = [
  'Done.',
  'Good catch, fixed.',
  'I would rather keep it: the other place relies on it.',
  'Yes, the interface says so. I added a comment.',
  'Moved to a follow-up.',
] as const;

/** Summaries of reviews, by state. */
export const REVIEW_TEXTS = {
  APPROVED: [
    '',
    '',
    'LGTM',
    'Looks good, thank you!',
    'Nice work 🎉',
    'Approving; the two nits are optional.',
  ],
  CHANGES_REQUESTED: [
    'Please have a look at the error path before we merge this.',
    'I think this changes the behaviour for old clients. See my comments.',
    'Needs a test.',
  ],
  COMMENTED: ['', '', '', 'Some questions first.', 'Read half of it, the rest tomorrow.'],
  DISMISSED: ['Needs a second look after the rebase.'],
} as const;

/** Lines of code around comments. */
export const CODE_LINES = [
  'func (w *worker) run(ctx context.Context) error {',
  '\tfor part := range w.parts {',
  '\t\tif err := w.lease.Renew(ctx); err != nil {',
  '\t\t\treturn fmt.Errorf("renew: %w", err)',
  '\t\t}',
  '\tdefer cancel()',
  '\treturn w.finish(ctx)',
  '\tlog.Info("retry", "attempt", attempt, "wait", wait)',
  '}',
] as const;
