export { jsonArray } from './json.ts';
export { writeFeed, writeFile } from './write-file.ts';
