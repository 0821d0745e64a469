import { describeConnector } from '../../test-support/conformance/index.ts';
import { documentSubjects } from '../../test-support/declarative/subjects.ts';

for (const subject of documentSubjects()) describeConnector(subject);
