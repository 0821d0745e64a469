import { type JsonObject, type ReadingDefinition, readObjects, readText } from '../../sdk/index.ts';
import { numberText, referenceOfUrl, textIn, unlessEmpty } from '../records/reading-fields.ts';

function stateOf({ draft, prerelease }: JsonObject): string {
  if (draft === true) return 'Draft';
  return prerelease === true ? 'Pre-release' : 'Published';
}

/** Returns the files with their downloads: `box.zip, 42 downloads`. */
function filesOf({ assets }: JsonObject): string[] {
  return readObjects(assets).flatMap(({ name, download_count }) => {
    const downloads = numberText(download_count);
    const shown = downloads === '' ? '' : `, ${downloads} ${downloads === '1' ? 'download' : 'downloads'}`;
    return unlessEmpty(readText(name)).map((file) => file + shown);
  });
}

/** The reading of releases. */
export const releaseReading: ReadingDefinition = {
  fields: ['url', 'tag_name', 'author', 'draft', 'prerelease', 'assets', 'body', 'html_url'],
  read(release) {
    return {
      facts: [
        { title: 'Repository', values: unlessEmpty(referenceOfUrl(release.url)) },
        { title: 'Tag', values: unlessEmpty(readText(release.tag_name)) },
        { title: 'State', values: [stateOf(release)] },
        { title: 'Author', values: unlessEmpty(textIn(release.author, 'login')) },
        { title: 'Files', values: filesOf(release) },
      ],
      labels: [],
      text: readText(release.body),
      textFormat: 'markdown',
      html: null,
      isTruncated: false,
      url: readText(release.html_url) || null,
    };
  },
};
