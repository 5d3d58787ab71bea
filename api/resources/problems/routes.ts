import { retryProblem } from '../../../commands/problemRetries.ts';
import { Problem } from '../../../db/schema/problem.ts';
import { presentProblem } from '../../../present/problem.ts';
import * as fields from '../../fields.ts';
import { list } from '../../list.ts';
import { conditionsOn, type Listing } from '../../listing.ts';
import { object } from '../../request.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';

const where = conditionsOn<Problem>();

const problems: Listing<Problem> = {
  row: Problem,
  scope: ({ caller }) => ({ accountId: caller.account.id, closedAt: null }),
  sort: { id: (to) => ({ id: to }), since: (to) => ({ since: to }), tries: (to) => ({ tries: to }) },
  filter: {
    id: where(fields.id, (id) => ({ id })),
    object: where(fields.text(), (subjectType) => ({ subjectType })),
  },
  parameters: {},
  byId: (to) => ({ id: to }),
  find: (em, conditions, slice) => em.find(Problem, conditions, slice),
  present: presentProblem,
};

export const problemRoutes: Route[] = [
  {
    method: 'GET',
    path: '/problems',
    summary: 'List what a process cannot do, and why',
    handle: (request) => list(request, problems),
  },
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
