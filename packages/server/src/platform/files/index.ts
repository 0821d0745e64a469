export { writeFeed, writeFile } from './write-file.ts';
