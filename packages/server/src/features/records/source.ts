/** Whose records of which entity: every statement binds all three. */
export interface RecordSource {
  userId: string;
  connectionId: string;
  entity: string;
}

/** A sync's place to write: a source, the run, and the scope it fills. */
export interface WriteTarget extends RecordSource {
  syncId: string;
  scope: string;
  /** The version of the facets that the run's records have. Default: the first. */
  facetsVersion?: number;
  /** The run was restarted: what it had added until then counts as met only when it meets it again. */
  isRestart?: boolean;
}
