import { methodNamed, methodsOf, updatePaymentMethod } from '../../../commands/accounts/paymentMethods.ts';
import { presentPaymentMethod } from '../../../present/accounts/paymentMethod.ts';
import { pathCode, type Route, reply } from '../../framework/route.ts';
import { updateRoute } from '../../writing/writeRoutes.ts';
import { paymentMethodChange } from './schema.ts';
import { paymentMethod } from './shape.ts';

const path = '/payment_methods';
const resource = { name: 'Payment method', shape: paymentMethod, idColumn: 'code' as const };

export const paymentMethodRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'readPaymentMethods',
    summary: 'Read all payment methods, in the order of your pages',
    answer: { statusCode: 200, kind: resource, isArray: true },
    handle: async ({ em, caller }) => {
      const methods = await methodsOf(em, caller.account);
      return reply(200, methods.map(presentPaymentMethod));
    },
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'readPaymentMethod',
    summary: 'Read a payment method',
    idColumn: 'code',
    answer: { statusCode: 200, kind: resource },
    handle: async (request) => {
      const { em, caller } = request;
      const name = pathCode(request, resource.name);
      return reply(200, presentPaymentMethod(await methodNamed(em, caller.account, name)));
    },
  },
  updateRoute({
    path,
    resource,
    summary: 'Change how your pages offer a payment method',
    present: presentPaymentMethod,
    body: paymentMethodChange,
    example: { enabled: true, min: 50, instructions: 'Payable to Acme Inc., 1 Main Street, Austin' },
    command: (em, { caller, code, body }, now) => updatePaymentMethod(em, { ...body, caller, name: code }, now),
  }),
];
