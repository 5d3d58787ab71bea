import { retryProblem } from '../../../commands/problemRetries.ts';
import { presentProblem } from '../../../present/problem.ts';
import { listRoute } from '../../readRoutes.ts';
import { object } from '../../request.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { problems } from './resource.ts';

export const problemRoutes: Route[] = [
  listRoute('/problems', problems, 'List what a process cannot do, and why'),
  withBody({
    method: 'POST',
    path: '/problems/:id/retries',
    summary: 'Try the step again now',
    body: object({}),
    handle: (request) => {
      const id = pathId(request, 'Problem');
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => retryProblem(em, { caller, id }, now),
        present: presentProblem,
      });
    },
  }),
];
