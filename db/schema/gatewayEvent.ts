import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { longTenantKey, oneOf } from './columns.ts';
import { partialIndex } from './indexes.ts';

/**
 * received: the process of its attempt will look at the gateway; processed: it has looked; unmatched: no attempt has its reference;
 * ignored: it is about nothing that is recorded here, or about stored sources, which were read at the gateway at once.
 */
export const gatewayEventStates = ['received', 'processed', 'unmatched', 'ignored'] as const;
export type GatewayEventState = (typeof gatewayEventStates)[number];

/**
 * SQL: bodies with a secret that lets a browser confirm a payment (https://docs.stripe.com/api/payment_intents/object). Only earlier versions
 * stored any.
 */
export const HAS_CLIENT_SECRET = `body ~ '"client_secret"\\s*:\\s*"'`;

const GatewayEventSchema = defineEntity({
  name: 'GatewayEvent',
  policies: policiesThrough('gateway_event', 'attempt'),
  comment: 'An event that a gateway sent, stored once and as received',
  properties: {
    ...longTenantKey,
    /** The configuration of the address that received it, such as `test_1`. */
    configuration: p.string().length(64),
    eventId: p.string().length(255),
    /** The gateway's name of its type. */
    type: p.string().length(100),
    /** The gateway's reference of the operation that it is about. Null: it is about none. */
    reference: p.string().length(255).nullable(),
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').nullable().deleteRule('cascade'),
    /** The body as received, without client secrets. Empty once its customer is anonymized. */
    body: p.text(),
    state: p.string().length(9).$type<GatewayEventState>(),
    receivedAt: p.datetime(),
    processedAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'gateway_event_id', properties: ['accountId', 'configuration', 'eventId'] }],
  indexes: [
    partialIndex('gateway_event', 'gateway_event_by_attempt', ['account_id, attempt_id', 'attempt_id is not null']),
    partialIndex('gateway_event', 'gateway_event_unmatched', ['account_id, reference', "state = 'unmatched'"]),
    partialIndex('gateway_event', 'gateway_event_received', ['received_at', "state = 'received'"]),
    partialIndex('gateway_event', 'gateway_event_secret', ['account_id, id', HAS_CLIENT_SECRET]),
  ],
  checks: [
    oneOf('gateway_event', 'state', gatewayEventStates),
    { name: 'gateway_event_attempt', expression: "state in ('unmatched', 'ignored') or attempt_id is not null" },
    { name: 'gateway_event_processed', expression: "(state = 'processed') = (processed_at is not null)" },
  ],
});
export class GatewayEvent extends GatewayEventSchema.class {}
GatewayEventSchema.setClass(GatewayEvent);
