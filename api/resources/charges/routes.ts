import type { z } from 'zod';
import { Refusal } from '../../../billing/refusal.ts';
import { startCharge } from '../../../commands/charges.ts';
import { gatewayFor } from '../../../commands/gatewayRouting.ts';
import { Charge } from '../../../db/schema/charge.ts';
import { presentCharge } from '../../../present/charge.ts';
import { attempt } from '../../attempt.ts';
import * as fields from '../../fields.ts';
import { list } from '../../list.ts';
import { conditionsOn, type Listing } from '../../listing.ts';
import { type ApiRequest, found, pathId, type Route, reply, withBody } from '../../route.ts';
import { newCharge } from './schema.ts';

const where = conditionsOn<Charge>();

const charges: Listing<Charge> = {
  row: Charge,
  scope: ({ caller }) => ({ accountId: caller.account.id }),
  sort: { id: (to) => ({ id: to }), created_at: (to) => ({ createdAt: to }), amount: (to) => ({ amount: to }) },
  filter: {
    id: where(fields.id, (id) => ({ id })),
    customer: where(fields.id, (id) => ({ customer: { id } })),
    status: where(fields.choice('succeeded', 'pending', 'failed'), (status) => ({ status })),
    currency: where(fields.currency, (currency) => ({ currency })),
    gateway: where(fields.text(), (gateway) => ({ gateway })),
    gateway_id: where(fields.text(), (gatewayId) => ({ gatewayId })),
  },
  parameters: {
    start_date: where(fields.timestamp, (at) => ({ createdAt: { $gte: at } })),
    end_date: where(fields.timestamp, (at) => ({ createdAt: { $lte: at } })),
    updated_after: where(fields.timestamp, (at) => ({ updatedAt: { $gte: at } })),
    updated_before: where(fields.timestamp, (at) => ({ updatedAt: { $lte: at } })),
  },
  byId: (to) => ({ id: to }),
  find: (em, conditions, slice) => em.find(Charge, conditions, slice),
  present: presentCharge,
};

/** Exactly one of a stored source, a service token and a gateway token. */
function instrumentOf({ deps, caller }: ApiRequest, body: z.output<typeof newCharge>) {
  const { gateway_token: token, payment_source_type: type, payment_source_id: sourceId } = body;
  const options = [token, body.service_token, type ?? sourceId].filter(
    (option) => option !== undefined && option !== null,
  );
  if (options.length !== 1) {
    const choice = 'payment_source_type with payment_source_id, service_token or gateway_token';
    throw new Refusal(`Exactly one of ${choice} is needed`, 'payment_source_id');
  }
  if (token) return { sealedToken: deps.cipher.encrypt(token), gateway: gatewayFor(caller.account, deps.gateways) };
  if (body.service_token) throw new Refusal('Service token is not supported yet', 'service_token');
  if (!type) throw new Refusal('Payment source type missing', 'payment_source_type');
  if (!sourceId) throw new Refusal('Payment source id missing', 'payment_source_id');
  return { type, sourceId };
}

export const chargeRoutes: Route[] = [
  withBody({
    method: 'POST',
    path: '/charges',
    summary: 'Charge a card or bank account; answers the payment',
    body: newCharge,
    handle: (request, body) => {
      const { customer: customerId, method, amount, vault_method: vault, make_default: makeDefault } = body;
      const charge = {
        ...{ customerId, method, amount, vault, makeDefault },
        currency: body.currency ?? request.caller.account.currency,
        applications: body.applied_to,
        instrument: instrumentOf(request, body),
        receiptEmail: body.receipt_email ?? null,
        lookUpDelay: request.deps.lookUpDelay,
      };
      return attempt(request, (em, caller, now) => startCharge(em, { ...charge, caller }, now));
    },
  }),
  {
    method: 'GET',
    path: '/charges',
    summary: 'List charges',
    handle: (request) => list(request, charges),
  },
  {
    method: 'GET',
    path: '/charges/:id',
    summary: 'Read a charge',
    handle: async (request) => {
      const id = pathId(request, 'Charge');
      const charge = await request.em.findOne(Charge, { accountId: request.caller.account.id, id });
      return reply(200, presentCharge(found(charge, 'Charge', id)));
    },
  },
];
