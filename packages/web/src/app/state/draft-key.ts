/** Local storage key of the unsaved expression. */
export const DRAFT_KEY = 'dd-queryDraft';
/** Local storage key of the values of its variables. */
export const INPUTS_KEY = 'dd-queryInputs';
