import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';
import { partialIndex } from './indexes.ts';

const LIVE = 'deleted_at is null';

const MerchantAccountSchema = defineEntity({
  name: 'MerchantAccount',
  policies: tenantPolicies,
  comment: 'An account at a payment gateway, with the credentials that open it',
  properties: {
    ...tenantKey,
    /** Name of the kind of gateway, such as `stripe`. */
    gateway: p.string().length(16),
    name: p.string().length(255),
    /** The gateway's id of it. */
    gatewayAccount: p.string().length(255),
    publishableKey: p.string().length(255).nullable(),
    /** Encrypted; null: it was deleted. */
    sealedSecretKey: p.text().nullable(),
    /** The encrypted secret that signs the gateway's events; null: none are received. */
    sealedEventSecret: p.text().nullable(),
    /** Currencies that it takes, lower case; empty: all. */
    currencies: p.array().columnType('text[]').defaultRaw(`'{}'`),
    deletedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    partialIndex('merchant_account', 'merchant_account_live', ['account_id, id', LIVE]),
    partialIndex('merchant_account', 'merchant_account_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('merchant_account', 'merchant_account_by_updated', ['account_id, updated_at, id', LIVE]),
    {
      name: 'merchant_account_once',
      expression: `create unique index "merchant_account_once" on "merchant_account" ("account_id", "gateway", "gateway_account") where ${LIVE}`,
    },
  ],
  checks: [{ name: 'merchant_account_sealed', expression: '(sealed_secret_key is null) = (deleted_at is not null)' }],
});
export class MerchantAccount extends MerchantAccountSchema.class {}
MerchantAccountSchema.setClass(MerchantAccount);
