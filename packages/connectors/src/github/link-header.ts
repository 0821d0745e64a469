/** Longest header that is read, characters; GitHub's have some 300. */
const MAX_HEADER = 4096;
/** `*( OWS ";" OWS name [ "=" ( token / quoted-string ) ] )`, as RFC 8288 has the parameters of a link. */
const PARAMETERS = /^(?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"(?:\\.|[^"\\])*"|[^\s;,"]*))?)*/;
/** The first `rel`: others must be ignored. */
const REL = /;\s*rel\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;,"]*))/i;
/** Values in quotes may hold what looks like a parameter. */
const OTHERS = /;\s*(?!rel\s*=)[^\s;,="]+\s*=\s*"(?:\\.|[^"\\])*"/gi;

function relationsOf(parameters: string): string[] {
  const [, quoted, bare] = parameters.replaceAll(OTHERS, '').match(REL) ?? [];
  return (quoted ?? bare ?? '').toLowerCase().trim().split(/\s+/);
}

/** The address that a Link header (RFC 8288) names first under a relation; undefined without one. */
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
