import type { ProofCheck } from '@datadeck/contract';

/** Thrown when the proof of an entity cannot continue: a fault of the document, or something that is missing. */
export class ProofStoppedError extends Error {
  readonly outcome: ProofCheck['outcome'];
  /** Place in the entity, or with a leading `/` in the document. */
  readonly path: string;

  /** @param message a sentence for the person who writes the document */
  constructor(outcome: 'failed' | 'undecided' | 'not-applicable', path: string, message: string) {
    super(message);
    this.outcome = outcome;
    this.path = path;
  }
}
