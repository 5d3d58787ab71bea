import { retryPdf } from '../../../commands/documents/pdfRetries.ts';
import { retryProblem } from '../../../commands/kernel/problemRetries.ts';
import { Problem } from '../../../db/schema/problem.ts';
import { presentProblem } from '../../../present/processes/problem.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathId, type Route } from '../../framework/route.ts';
import { listRoute } from '../../reading/readRoutes.ts';
import { actionRoute } from '../../writing/writeRoutes.ts';
import { problems } from './resource.ts';

const retries = actionRoute({
  path: '/problems/:id/retries',
  operationId: 'retryProblem',
  summary: 'Retry the step of a problem now',
  resource: problems,
  command: retryProblem,
  present: presentProblem,
});

export const problemRoutes: Route[] = [
  listRoute({
    path: '/problems',
    resource: problems,
    summary: 'List the open problems of processes, with their reasons',
  }),
  {
    ...retries,
    handle: async (request) => {
      const reply = await retries.handle(request);
      await tryPdf(request);
      return reply;
    },
  },
];

/** Retries a PDF here, because no process retries it. */
async function tryPdf(request: ApiRequest): Promise<void> {
  const { deps, em, caller } = request;
  const { account } = caller;
  const id = pathId(request, problems.name);
  const problem = await em.findOne(Problem, { accountId: account.id, id, closedAt: null });
  if (problem) await retryPdf({ em, pdf: deps.pdf }, { account, problem }, deps.systemNow());
}
