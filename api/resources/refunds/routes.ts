import { startRefund } from '../../../commands/charges/refunds.ts';
import { pathId, type Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { attemptRoute } from '../../writing/writeRoutes.ts';
import { refunds } from './resource.ts';
import { newRefund } from './schema.ts';

const path = '/refunds';

export const refundRoutes: Route[] = [
  attemptRoute({
    path: '/charges/:id/refunds',
    operationId: 'createRefund',
    summary: 'Refund a charge, in full or in part',
    body: newRefund,
    example: { amount: 4 },
    answer: { statusCode: 201, kind: refunds },
    start: (request, { amount }) => {
      const { lookUpDelay } = request.deps;
      const input = { chargeId: pathId(request, 'Charge'), amount, lookUpDelay };
      return (em, caller, now) => startRefund(em, { ...input, caller }, now);
    },
  }),
  listRoute({ path, resource: refunds, summary: 'List refunds' }),
  readRoute({ path, resource: refunds, summary: 'Read a refund' }),
];
