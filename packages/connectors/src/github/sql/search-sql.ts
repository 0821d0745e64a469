/** Returns the expression for the names by which a repository is found: `owner/name`, its name and its owner. */
export function repositoryNames(fullName: string): string {
  return `array[${fullName}, split_part(${fullName}, '/', 2), split_part(${fullName}, '/', 1)]`;
}

const NUMBERED = `left(coalesce(r.repository, ''), 250) || ' #' || r.number`;

/** Parts of the line by which people recognise a result. */
interface WorkSql {
  /** What a record is called: `Review`. */
  kind: string;
  /** Text expression for its place; default: the repository and the number. */
  reference?: string;
  /** Text expression for its state in lower-case words; null without one. */
  state: string;
}

/** Returns the expression for what a result shows of an issue, review, run, commit, release or repository. */
export function workDetails({ kind, reference = NUMBERED, state }: WorkSql): string {
  return `json_build_object('work', json_build_object('kind', '${kind}',
    'reference', left(coalesce(${reference}, ''), 300), 'state', left(coalesce(replace(lower(${state}), '_', ' '), ''), 40)))`;
}
