import type { z } from 'zod';
import { Refusal } from '../../../billing/refusal.ts';
import { startCharge } from '../../../commands/charges/charges.ts';
import { configurationFor, isTestToken } from '../../../commands/charges/gateways.ts';
import { describeToken } from '../../../commands/charges/payable.ts';
import type { DescribedSource } from '../../../commands/ports/ports.ts';
import { Customer } from '../../../db/schema/customer.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import type { Route } from '../../framework/route.ts';
import { exampleOf } from '../../framework/shape.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { attemptRoute } from '../../writing/writeRoutes.ts';
import { payment, payments } from '../payments/resource.ts';
import { charge, charges, newCharge } from './resource.ts';

/** Reads exactly one of a stored source, a service token and a gateway token. */
async function instrumentOf(request: ApiRequest, body: z.output<typeof newCharge>) {
  const { deps } = request;
  const { gateway_token: token, payment_source_type: type, payment_source_id: sourceId } = body;
  const options = [token, body.service_token, type ?? sourceId].filter(
    (option) => option !== undefined && option !== null,
  );
  if (options.length !== 1) {
    const code = options.length === 0 ? 'parameter_missing' : 'parameter_invalid';
    const choice = 'payment_source_type with payment_source_id, service_token or gateway_token';
    throw new Refusal(code, `Exactly one of ${choice} is needed`, 'payment_source_id');
  }
  const { service_token: serviceToken } = body;
  if (serviceToken) return { serviceToken };
  if (token) {
    const hasFee = body.applied_to.some(({ type: name }) => name === 'convenience_fee');
    const card = hasFee ? await cardOfToken(request, { body, token }) : null;
    return { sealedToken: deps.cipher.encrypt(token), isTestToken: isTestToken(token), card };
  }
  if (!type) throw new Refusal('parameter_missing', 'Payment source type missing', 'payment_source_type');
  if (!sourceId) throw new Refusal('parameter_missing', 'Payment source id missing', 'payment_source_id');
  return { type, sourceId };
}

/** Asks the gateway that will charge a token which card it stands for. Null: it does not tell. */
async function cardOfToken(
  { em, deps, caller }: ApiRequest,
  { body, token }: { body: z.output<typeof newCharge>; token: string },
): Promise<DescribedSource | null> {
  const { account } = caller;
  const { customer: id, method } = body;
  const customer = await em.findOne(Customer, { accountId: account.id, id });
  const wanted = { method, currency: body.currency ?? account.currency, isTestToken: isTestToken(token) };
  const gateway = await configurationFor(em, { account, customer }, wanted);
  if (gateway === null) return null;
  return withoutPlace(() => describeToken(deps, { accountId: account.id, gateway, token }));
}

const path = '/charges';

/** Example of a payment made by a charge. */
const processed = {
  ...exampleOf(payment),
  method: 'credit_card',
  source: 'api',
  reference: null,
  charge: exampleOf(charge),
};

export const chargeRoutes: Route[] = [
  attemptRoute({
    path,
    operationId: 'createCharge',
    permission: 'payments.write',
    summary: 'Charge a card or bank account; returns the payment',
    body: newCharge,
    example: {
      customer: 1,
      method: 'credit_card',
      gateway_token: 'tok_4242424242424242',
      amount: 240,
      applied_to: [{ type: 'invoice', invoice: 77, amount: 240 }],
    },
    answer: { statusCode: 201, kind: payments, example: processed },
    start: async (request, body) => {
      const { customer: customerId, method, amount, vault_method: vault, make_default: makeDefault } = body;
      const input = {
        customerId,
        method,
        amount,
        vault,
        makeDefault,
        currency: body.currency ?? request.caller.account.currency,
        applications: body.applied_to,
        instrument: await instrumentOf(request, body),
        receiptEmail: body.receipt_email ?? null,
        lookUpDelay: request.deps.lookUpDelay,
      };
      return (em, caller, now) => startCharge(em, { ...input, caller }, now);
    },
  }),
  listRoute({ path, resource: charges, summary: 'List charges' }),
  readRoute({ path, resource: charges, summary: 'Read a charge' }),
];
