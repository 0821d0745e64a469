import { describeConnector } from '../conformance/index.ts';
import { notesSubject } from './notes-stand-in.ts';

describeConnector(notesSubject('notes'));
