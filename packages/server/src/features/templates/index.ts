export { findTemplate, listTemplates, sourceOf } from './catalogue.ts';
export { readTemplatePage } from './page.ts';
export { type PushedDownPage, templateRows, withPushDown } from './rows.ts';
export { deleteOldPages } from './rows-page.ts';
