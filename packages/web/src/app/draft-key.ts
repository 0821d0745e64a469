/** Where the expression that is being written is kept. */
export const DRAFT_KEY = 'dd-queryDraft';
