/** Local storage key of the unsaved expressions, by template. */
export const DRAFT_KEY = 'dd-queryDraft';
/** Local storage key of the values of their variables, by template. */
export const INPUTS_KEY = 'dd-queryInputs';
