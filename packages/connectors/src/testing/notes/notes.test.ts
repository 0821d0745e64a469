import { describeConnector } from '../../sdk/conformance.ts';
import { notesSubject } from './notes-stand-in.ts';

describeConnector(notesSubject('notes'));
