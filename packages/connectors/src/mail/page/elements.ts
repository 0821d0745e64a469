const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements of a mail that are not shown, with their content. The tags of all elements on no list are left out. */
export const HIDDEN = setOf(
  'audio iframe math noembed noframes noscript plaintext script style svg template title video xmp',
);
/** Elements that browsers open again after the block in which they were not closed. */
export const FORMATTING = setOf('a b big code em font i nobr s small strike strong tt u');
/** Other elements within a line. */
export const INLINE = setOf('abbr acronym bdi bdo cite del dfn ins kbd mark q samp span sub sup time var');
export const HEADINGS = setOf('h1 h2 h3 h4 h5 h6');
/** Elements that end a paragraph. */
export const BLOCKS = setOf(
  'address article aside blockquote center dd details dir div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre section summary table ul',
);
/** Elements without content. */
export const VOID = setOf('br col hr img wbr');
/** Parts of a table that contain no text themselves. */
export const TABLE_PARTS = setOf('table thead tbody tfoot tr colgroup');
export const TABLE_SECTIONS = setOf('thead tbody tfoot');
/** Parts of a table with a content of their own: no end tag in it ends an element outside. */
export const CELLS = setOf('td th caption');
