/** Where the expression that is being written is kept. */
export const DRAFT_KEY = 'dd-queryDraft';
/** Where the values of its variables are kept. */
export const INPUTS_KEY = 'dd-queryInputs';
