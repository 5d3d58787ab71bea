import type { z } from 'zod';
import type { PaymentSourceType } from '../../../billing/paymentMethods.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { isTestToken } from '../../../commands/charges/gatewayOfNewSources.ts';
import { deleteSource, startVault, startVerification, updateSource } from '../../../commands/charges/paymentSources.ts';
import type { ProcessKey } from '../../../commands/kernel/stepOutcome.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { presentPaymentSource } from '../../../present/payments/paymentSource.ts';
import { refuseChangedFixed } from '../../body/fixed.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { found, pathId, type Route, withBody } from '../../framework/route.ts';
import type { Shape } from '../../framework/shape.ts';
import { list } from '../../reading/list.ts';
import { listRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { attemptRoute } from '../../writing/writeRoutes.ts';
import { paymentSources } from './resource.ts';
import { newPaymentSource, sourceChange, verification } from './schema.ts';
import { bankAccount, card } from './shape.ts';

/** Reads exactly one of the two tokens. */
function instrumentOf({ deps }: ApiRequest, body: z.output<typeof newPaymentSource>) {
  const { gateway_token: token, service_token: serviceToken } = body;
  if (token && !serviceToken) return { sealedToken: deps.cipher.encrypt(token), isTestToken: isTestToken(token) };
  if (serviceToken && !token) return { serviceToken };
  const code = token ? 'parameter_invalid' : 'parameter_missing';
  throw new Refusal(code, 'Exactly one of gateway_token and service_token is needed', 'gateway_token');
}

async function findCustomer(request: ApiRequest): Promise<number> {
  const id = pathId(request, 'Customer');
  const key = { accountId: request.caller.account.id, id };
  found(await request.em.findOne(Customer, key, { fields: ['id'] }), 'Customer', id);
  return id;
}

/** Makes a source unusable at once, and then asks the gateway to delete it. */
async function remove(request: ApiRequest, type: PaymentSourceType) {
  const { deps, caller } = request;
  const key = { customerId: pathId(request, 'Customer'), id: pathId(request, 'Payment source', 'source'), type };
  let started: number | null = null;
  const answer = await write(request, {
    statusCode: 204,
    command: async (em, who, now) => {
      const { id } = await deleteSource(em, { ...key, caller: who, lookUpDelay: deps.lookUpDelay }, now);
      started = id;
    },
    present: () => null,
  });
  if (started !== null) await forget(deps, { accountId: caller.account.id, id: started });
  return answer;
}

/** Asks the gateway to delete a source. If that fails, the attempt's process tries again. */
async function forget(deps: ApiDeps, key: ProcessKey): Promise<void> {
  await runAttempt(deps, key).catch((error: unknown) => {
    deps.log.warn(
      { err: error, attempt: key.id },
      'the gateway did not delete a payment source; its process will try again',
    );
  });
}

function routesOf(type: PaymentSourceType, path: string, { shape, name }: { shape: Shape; name: string }): Route[] {
  const one = { path: `/customers/:id/${path}/:source` };
  return [
    {
      ...one,
      method: 'DELETE',
      operationId: `delete${shape.name}`,
      summary: `Delete a ${name}, also at the gateway`,
      answer: { statusCode: 204 },
      handle: (request) => remove(request, type),
    },
    withBody({
      ...one,
      method: 'PATCH',
      operationId: `update${shape.name}`,
      body: sourceChange,
      summary: `Make a ${name} the default payment source, which AutoPay charges`,
      example: { make_default: true },
      answer: { statusCode: 200, kind: { shape } },
      handle: (request, body) => {
        const key = { customerId: pathId(request, 'Customer'), id: pathId(request, 'Payment source', 'source'), type };
        return write(request, {
          statusCode: 200,
          command: (em, caller, now) => updateSource(em, { ...key, caller, makeDefault: body.make_default }, now),
          present: (source) => {
            const shown = presentPaymentSource(source);
            refuseChangedFixed(sourceChange, request.body, shown);
            return shown;
          },
        });
      },
    }),
  ];
}

const path = '/customers/:id/payment_sources';

export const paymentSourceRoutes: Route[] = [
  attemptRoute({
    path,
    operationId: 'createPaymentSource',
    summary: 'Store a card or bank account',
    body: newPaymentSource,
    example: { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true },
    answer: { statusCode: 201, kind: paymentSources },
    start: (request, body) => {
      const { deps } = request;
      const customerId = pathId(request, 'Customer');
      const source = { customerId, method: body.method, currency: body.currency, makeDefault: body.make_default };
      const instrument = instrumentOf(request, body);
      const { lookUpDelay } = deps;
      return (em, caller, now) => startVault(em, { ...instrument, ...source, caller, lookUpDelay }, now);
    },
  }),
  listRoute({
    path,
    resource: paymentSources,
    summary: 'List the cards and bank accounts of a customer',
    handle: async (request) => {
      await findCustomer(request);
      return list(request, paymentSources);
    },
  }),
  attemptRoute({
    path: '/customers/:id/bank_accounts/:source/verify',
    operationId: 'verifyBankAccount',
    summary: 'Verify a bank account by its micro-deposits; three wrong tries end it',
    body: verification,
    example: { amounts: [0.35, 0.45] },
    answer: { statusCode: 200, kind: { shape: bankAccount } },
    start: (request, { amounts }) => {
      const { cipher, lookUpDelay } = request.deps;
      if (amounts.length !== 2) throw new Refusal('parameter_invalid', 'Exactly two amounts are needed', 'amounts');
      const key = { customerId: pathId(request, 'Customer'), id: pathId(request, 'Payment source', 'source') };
      return (em, caller, now) => startVerification(em, { ...key, amounts, cipher, caller, lookUpDelay }, now);
    },
  }),
  ...routesOf('card', 'cards', { shape: card, name: 'card' }),
  ...routesOf('bank_account', 'bank_accounts', { shape: bankAccount, name: 'bank account' }),
];
