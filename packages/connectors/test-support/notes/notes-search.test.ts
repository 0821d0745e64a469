import { describeConnector } from '../conformance/index.ts';
import { NOTES_READING, NOTES_SEARCH } from './notes-search.ts';
import { notesSubject } from './notes-stand-in.ts';
import { withEntity } from './wrong-connector.ts';

const SEARCHED = withEntity(() => ({ search: NOTES_SEARCH, reading: NOTES_READING }));
describeConnector(notesSubject('notes that are searched', SEARCHED));
