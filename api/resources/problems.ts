import { retryPdf } from '../../commands/documents/pdfs.ts';
import { retryProblem } from '../../commands/kernel/problems.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { Problem } from '../../db/schema/problem.ts';
import { presentProblem } from '../../present/processes/process.ts';
import * as fields from '../body/fields.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { pathId, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { actionRoute } from '../writing/writeRoutes.ts';

const subject = shown.value('ProblemSubject', 'Object whose process is blocked', {
  object: shown.text('Type of the object; with the suffix `_pdf`, its PDF', 'subscription'),
  id: shown.integer('Id of the object', 1),
});

const problem = shown.shape('Problem', 'Problem: a step that a process cannot take, with the reason', {
  id: shown.id('Id of the problem', 2),
  subject: shown.one(subject, 'Object whose process is blocked'),
  step: shown.text('Step that cannot be taken, in the language of `Accept-Language`', 'renew'),
  message: shown.text('Reason why the step fails, in that language', 'The plan has no price'),
  money_at_risk: shown.nullable(shown.money('Amount that is not billed or collected', 49)),
  currency: shown.nullable(shown.currency('Currency of `money_at_risk`: three-letter ISO 4217 code')),
  since: shown.timestamp('When the problem began'),
  tries: shown.integer('Number of tries', 3),
  next_try_at: shown.unset(shown.timestamp('Time of the next try; null: none is planned')),
  updated_at: shown.updatedAt,
});

const ofType = fields.described(fields.text(), 'Type of the object that has the problem', 'subscription');

export const problems: Resource<Problem, 'id'> = {
  name: 'Problem',
  area: 'collections',
  shape: problem,
  said: ['step', 'message'],
  row: Problem,
  idColumn: 'id',
  exists: condition('closed_at is null'),
  columns: {
    id: column('id', fields.id),
    object: filtered('subject_type', ofType),
    since: sorted('since'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentProblem),
};

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
  readRoute({ path: '/problems', resource: problems, summary: 'Read an open problem of a process' }),
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
