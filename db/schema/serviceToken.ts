import { defineEntity, p } from '@mikro-orm/core';
import {
  type PaymentSourceType,
  type SourceMethod,
  sourceMethods,
  sourceTypes,
} from '../../billing/payments/paymentMethods.ts';
import { tenantPolicies } from '../tenant.ts';
import { oneOf, tenantKey } from './columns.ts';

const ServiceTokenSchema = defineEntity({
  name: 'ServiceToken',
  policies: tenantPolicies,
  comment: "A page's token for a card or bank account that its reader entered; pays or is stored once",
  properties: {
    ...tenantKey,
    /** SHA-256 of the token. */
    hash: p.string().length(64),
    method: p.string().length(12).$type<SourceMethod>(),
    /** Configuration of the gateway that made the gateway's token. */
    gateway: p.string().length(32),
    /** The only currency in which it pays; null: all that its merchant account takes. */
    currency: p.string().length(3).nullable(),
    /** The gateway's token, encrypted. */
    sealedToken: p.text(),
    /** The card or bank account behind it; null: the gateway does not tell. */
    type: p.string().length(12).nullable().$type<PaymentSourceType>(),
    brand: p.string().length(255).nullable(),
    funding: p.string().length(8).nullable().$type<'credit' | 'debit' | 'prepaid' | 'unknown'>(),
    last4: p.string().length(4).nullable(),
    /** Real time. */
    usedAt: p.datetime().nullable(),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'service_token_hash', properties: ['accountId', 'hash'] }],
  indexes: [{ name: 'service_token_expiry', properties: ['expiresAt'] }],
  checks: [oneOf('service_token', 'method', sourceMethods), oneOf('service_token', 'type', sourceTypes)],
});
export class ServiceToken extends ServiceTokenSchema.class {}
ServiceTokenSchema.setClass(ServiceToken);
