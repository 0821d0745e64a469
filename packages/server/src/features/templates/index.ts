export { findTemplate, listTemplates, readTemplatePage, sourceOf } from './page.ts';
export { type TemplateRows, templateRows } from './rows.ts';
