import type { DocumentStart } from '@datadeck/contract';
import { FileCode, FileInput, FileJson, Link2, type LucideIcon, PackageOpen, ScrollText } from 'lucide-react';

/** What a new document is made of. */
export type Start = DocumentStart['from'];

/** The ways to start a connector. */
export const STARTS: readonly {
  value: Start;
  label: string;
  title: string;
  hint: string;
  Icon: LucideIcon;
}[] = [
  {
    value: 'example',
    label: 'Example',
    title: 'An example answer',
    hint: 'Paste what the API sends, and the address that you asked.',
    Icon: FileJson,
  },
  {
    value: 'address',
    label: 'Address',
    title: 'An address to try',
    hint: 'Datadeck requests it once, and reads what comes back.',
    Icon: Link2,
  },
  {
    value: 'openapi',
    label: 'OpenAPI',
    title: 'An OpenAPI description',
    hint: 'Paste or choose the file that describes the API.',
    Icon: ScrollText,
  },
  {
    value: 'manifest',
    label: 'Airbyte',
    title: 'A manifest of Airbyte',
    hint: 'Paste or choose the declarative manifest.yaml of a source.',
    Icon: FileInput,
  },
  {
    value: 'shipped',
    label: 'Shipped',
    title: 'A shipped connector',
    hint: 'Copy one that comes with Datadeck, and change it.',
    Icon: PackageOpen,
  },
  {
    value: 'document',
    label: 'Document',
    title: 'A document',
    hint: 'Paste the JSON or YAML of a connector.',
    Icon: FileCode,
  },
];
