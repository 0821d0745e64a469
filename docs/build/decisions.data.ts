import { createContentLoader } from 'vitepress';

/** Decision records with their titles, in order. */
export interface DecisionLink {
  url: string;
  title: string;
}
declare const data: DecisionLink[];

export { data };

export default createContentLoader('decisions/*.md', {
  includeSrc: true,
  transform: (pages): DecisionLink[] =>
    pages
      .map(({ url, src = '' }) => ({ url, title: /^# (.*)$/m.exec(src)?.[1] ?? url }))
      .sort((a, b) => a.url.localeCompare(b.url)),
});
