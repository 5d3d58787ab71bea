import { retryProblem } from '../../../commands/problemRetries.ts';
import { presentProblem } from '../../../present/problem.ts';
import { listRoute } from '../../readRoutes.ts';
import type { Route } from '../../route.ts';
import { actionRoute } from '../../writeRoutes.ts';
import { problems } from './resource.ts';

export const problemRoutes: Route[] = [
  listRoute({ path: '/problems', resource: problems, summary: 'List what a process cannot do, and why' }),
  actionRoute({
    ...{ path: '/problems/:id/retries', operationId: 'retryProblem', summary: 'Try the step again now' },
    ...{ resource: problems, command: retryProblem, present: presentProblem },
  }),
];
