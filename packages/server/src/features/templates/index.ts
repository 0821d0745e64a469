export { findTemplate, listTemplates, readTemplatePage, sourceOf } from './page.ts';
export { templateRows } from './rows.ts';
