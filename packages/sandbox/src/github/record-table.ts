import type { RecordFacts } from './record-facts.ts';
import type { RepositoryScene, Shape } from './repository-scene.ts';

/** Maximum number of cached texts of a table. */
const MAX_KEPT = 6000;

/** The records of one kind: generated on first use, changed, added and removed afterwards. */
export class RecordTable<Facts extends RecordFacts> {
  readonly #load: () => Facts[];
  readonly #shape: (scene: RepositoryScene, facts: Facts) => Shape;
  /** Fields that override those of the facts, also fields outside of the schema. */
  readonly #fields = new Map<number, Shape>();
  readonly #texts = new Map<number, Buffer>();
  #scene: RepositoryScene | undefined;
  #rows: readonly Facts[] | undefined;
  /** The highest id so far; ids of deleted records are not reused. */
  #newestId = 0;

  constructor(load: () => Facts[], shape: (scene: RepositoryScene, facts: Facts) => Shape) {
    this.#load = load;
    this.#shape = shape;
  }

  /** Returns the facts of all records. Every change creates a new array. */
  rows(): readonly Facts[] {
    this.#rows ??= this.#load();
    return this.#rows;
  }

  find(id: number): Facts | undefined {
    return this.rows().find((row) => row.id === id);
  }

  /** Returns a record in GitHub's format. */
  shape(row: Facts, scene: RepositoryScene): Shape {
    const shape = this.#shape(scene, row);
    const fields = this.#fields.get(row.id);
    return fields ? { ...shape, ...fields } : shape;
  }

  /** Returns a record as JSON. */
  text(row: Facts, scene: RepositoryScene): Buffer {
    if (this.#scene !== scene) this.#texts.clear();
    this.#scene = scene;
    const text = this.#texts.get(row.id) ?? Buffer.from(JSON.stringify(this.shape(row, scene)));
    this.#texts.delete(row.id);
    this.#texts.set(row.id, text);
    if (this.#texts.size > MAX_KEPT) this.#texts.delete(this.#texts.keys().next().value ?? 0);
    return text;
  }

  /** Writes the texts of the newest records, as many as the cache holds. */
  prepare(scene: RepositoryScene): void {
    for (const row of this.rows().slice(-MAX_KEPT)) this.text(row, scene);
  }

  /** Returns the id for the next record, above `least`. */
  takeId(least = 0): number {
    this.#newestId = Math.max(this.#newestId, least);
    for (const { id } of this.rows()) if (id > this.#newestId) this.#newestId = id;
    this.#newestId += 1;
    return this.#newestId;
  }

  /** Adds a record; `fields` in GitHub's format override those of the facts. */
  insert(facts: Facts, fields: Shape = {}): void {
    if (Object.keys(fields).length > 0) this.#fields.set(facts.id, fields);
    this.#rows = [...this.rows(), facts];
  }

  /** Changes facts of a record and overrides fields in GitHub's format. Returns false if it does not exist. */
  change(id: number, facts: Partial<Facts>, fields: Shape = {}): boolean {
    const row = this.find(id);
    if (!row) return false;
    this.#texts.delete(id);
    if (Object.keys(fields).length > 0) this.#fields.set(id, { ...this.#fields.get(id), ...fields });
    this.#rows = this.rows().map((each) => (each === row ? { ...row, ...facts, id } : each));
    return true;
  }

  /** Returns whether there was such a record. */
  remove(id: number): boolean {
    const rows = this.rows();
    this.#newestId = Math.max(this.#newestId, id);
    this.#texts.delete(id);
    this.#rows = rows.filter((row) => row.id !== id);
    return this.#rows.length < rows.length;
  }
}
