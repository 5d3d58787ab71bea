import type { z } from 'zod';
import { TEST_GATEWAY } from '../../../billing/gatewayConfiguration.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { startCharge } from '../../../commands/charges/charges.ts';
import { describeToken } from '../../../commands/charges/convenienceFee.ts';
import { isTestToken } from '../../../commands/charges/gatewayOfNewSources.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import type { Route } from '../../framework/route.ts';
import { exampleOf } from '../../framework/shape.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { attemptRoute } from '../../writing/writeRoutes.ts';
import { payments } from '../payments/resource.ts';
import { payment } from '../payments/shape.ts';
import { charges } from './resource.ts';
import { newCharge } from './schema.ts';
import { charge } from './shape.ts';

/** Reads exactly one of a stored source, a service token and a gateway token. */
async function instrumentOf({ deps, caller }: ApiRequest, body: z.output<typeof newCharge>) {
  const { gateway_token: token, payment_source_type: type, payment_source_id: sourceId } = body;
  const options = [token, body.service_token, type ?? sourceId].filter(
    (option) => option !== undefined && option !== null,
  );
  if (options.length !== 1) {
    const choice = 'payment_source_type with payment_source_id, service_token or gateway_token';
    throw new Refusal(`Exactly one of ${choice} is needed`, 'payment_source_id');
  }
  if (token) {
    const isTest = isTestToken(token);
    const hasFee = isTest && body.applied_to.some(({ type: name }) => name === 'convenience_fee');
    const asked = { accountId: caller.account.id, gateway: TEST_GATEWAY, token };
    const card = hasFee ? await withoutPlace(() => describeToken(deps, asked)) : null;
    return { sealedToken: deps.cipher.encrypt(token), isTestToken: isTest, card };
  }
  if (body.service_token) throw new Refusal('Service token is not supported yet', 'service_token');
  if (!type) throw new Refusal('Payment source type missing', 'payment_source_type');
  if (!sourceId) throw new Refusal('Payment source id missing', 'payment_source_id');
  return { type, sourceId };
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
