/** One result of a check. */
export interface Finding {
  /** `ok`: as it should be. `warning`: works, but not well. `problem`: does not work. */
  state: 'ok' | 'warning' | 'problem';
  /** What was found, as a sentence. */
  text: string;
  /** What to do about it, as a sentence; absent for `ok`. */
  advice?: string;
}

export const ok = (text: string): Finding => ({ state: 'ok', text });
export const warning = (text: string, advice: string): Finding => ({ state: 'warning', text, advice });
export const problem = (text: string, advice: string): Finding => ({ state: 'problem', text, advice });
