export { type FileFormat, TABLE_FORMATS, type TableFormat } from './file-task.ts';
export { writeFile } from './write-file.ts';
