import { describeConnector } from '../../../test-support/conformance/index.ts';
import { gitlabSubject } from '../../../test-support/shipped/gitlab.ts';
import { jiraSubject } from '../../../test-support/shipped/jira.ts';
import { linearSubject } from '../../../test-support/shipped/linear.ts';

describeConnector(gitlabSubject('gitlab-merge-requests'));
describeConnector(gitlabSubject('gitlab-issues', 'aurora-labs/*'));
describeConnector(jiraSubject);
describeConnector(linearSubject('ENG'));
