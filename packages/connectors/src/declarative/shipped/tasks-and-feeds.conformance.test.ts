import { describeConnector } from '../../../test-support/conformance/index.ts';
import { feedSubject } from '../../../test-support/shipped/feeds.ts';
import { todoistSubject } from '../../../test-support/shipped/todoist.ts';

describeConnector(todoistSubject('todoist-projects', { projects: 230, tasks: 0 }));
describeConnector(todoistSubject('todoist-tasks', { projects: 9, tasks: 61 }));
describeConnector(feedSubject('RSS'));
describeConnector(feedSubject('Atom'));
