import { describeConnector } from '../conformance/index.ts';
import { notesSubject } from './notes-stand-in.ts';
import { WRONG_CONNECTORS } from './wrong-connectors.ts';

for (const { mistake, make, isMetered } of WRONG_CONNECTORS) {
  const { startMetered, ...subject } = notesSubject(mistake, make);
  // Leave out faults that the connector waits for, which take seconds.
  const quick = { ...subject, survives: ['http-500'], waitsFor: [] };
  describeConnector(isMetered ? { ...quick, startMetered } : quick);
}
