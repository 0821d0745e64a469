import { Evaluations } from '../src/platform/evaluation/index.ts';
import { makeTemporaryFolder, removeDataFolder } from './temporary-folder.ts';

/** Evaluations with a folder of their own, which is removed when they are closed. */
export class TestEvaluations extends Evaluations {
  readonly folder: string;

  constructor(limits?: ConstructorParameters<typeof Evaluations>[1]) {
    const folder = makeTemporaryFolder('datadeck-results-');
    super(folder, limits);
    this.folder = folder;
  }

  override close(): void {
    super.close();
    removeDataFolder(this.folder);
  }
}
