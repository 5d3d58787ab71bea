import { Customer } from '../../../db/schema/customer.ts';
import { found, pathId, type Route } from '../../framework/route.ts';
import { list } from '../../reading/list.ts';
import { listRoute } from '../../reading/readRoutes.ts';
import { paymentConsents } from './resource.ts';

export const paymentConsentRoutes: Route[] = [
  listRoute({
    path: '/customers/:id/payment_consents',
    resource: paymentConsents,
    summary: 'List the consents of a customer to automatic payment, with the text that was shown',
    handle: async (request) => {
      const id = pathId(request, 'Customer');
      const key = { accountId: request.caller.account.id, id };
      found(await request.em.findOne(Customer, key, { fields: ['id'] }), 'Customer', id);
      return list(request, paymentConsents);
    },
  }),
];
