/** Id of the search page's box, by which the shell's shortcut focuses it. */
export const SEARCH_BOX_ID = 'search-box';
