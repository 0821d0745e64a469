export { findTemplate, listTemplates, readTemplatePage, sourceOf } from './page.ts';
export { type PushedDownPage, templateRows, withPushDown } from './rows.ts';
