/** Longest part of the header that is read, characters; GitHub's have about 300. */
export const MAX_HEADER = 4096;
/** Parameters of a link (RFC 8288): `*( OWS ";" OWS name [ "=" ( token / quoted-string ) ] )`. */
const PARAMETERS = /^(?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"(?:\\.|[^"\\])*"|[^\s;,"]*))?)*/;
/** The first `rel` parameter; RFC 8288 requires to ignore later ones. */
const REL = /;\s*rel\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;,"]*))/i;
/** Other quoted parameters, which may contain text that looks like a `rel` parameter. */
const OTHERS = /;\s*(?!rel\s*=)[^\s;,="]+\s*=\s*"(?:\\.|[^"\\])*"/gi;

function relationsOf(parameters: string): string[] {
  const [, quoted, bare] = parameters.replaceAll(OTHERS, '').match(REL) ?? [];
  return (quoted ?? bare ?? '').toLowerCase().trim().split(/\s+/);
}

/** Returns the first target of a relation in a Link header (RFC 8288), e.g. `next`; undefined if there is none. */
export function linkTo(header: string | null, relation: string): string | undefined {
  let rest = (header ?? '').slice(0, MAX_HEADER);
  for (;;) {
    const start = rest.indexOf('<');
    const end = rest.indexOf('>', start);
    if (start < 0 || end < 0) return undefined;
    const target = rest.slice(start + 1, end);
    rest = rest.slice(end + 1);
    const parameters = rest.match(PARAMETERS)?.[0] ?? '';
    rest = rest.slice(parameters.length);
    if (relationsOf(parameters).includes(relation)) return target;
  }
}
