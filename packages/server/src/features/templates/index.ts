export { checkSearch, findTemplate, listTemplates } from './catalogue.ts';
export { readExamples } from './examples.ts';
export { type ComparedKeys, findJoinKeys } from './key-condition.ts';
export { sourcesOf } from './other-entities.ts';
export { readTemplatePage } from './page.ts';
export {
  type PushedDownPage,
  type RowsRequest,
  type TemplateRows,
  templateRows,
  withPushDown,
} from './rows.ts';
export { deleteOldPages } from './rows-page.ts';
