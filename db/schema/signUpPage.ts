import { defineEntity, p } from '@mikro-orm/core';
import type { AskedAddress, SoldAddon } from '../../billing/signUps/terms.ts';
import { tenantPolicies } from '../tenant.ts';
import { eventCount, tenantKey, timestamps, token } from './columns.ts';
import { NAME_KEYS, partialIndex, searchIndex } from './indexes.ts';

const LIVE = 'deleted_at is null';

const SignUpPageSchema = defineEntity({
  name: 'SignUpPage',
  policies: tenantPolicies,
  comment: 'A page on which anybody can subscribe to plans of the account',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    description: p.text().nullable(),
    enabled: p.boolean().default(true),
    /** Codes of the plans to choose from, in their order. One that is archived is not offered. */
    plans: p.array().columnType('text[]'),
    /** Add-ons to choose. */
    addons: p.json().$type<SoldAddon[]>(),
    minQuantity: p.integer().default(1),
    maxQuantity: p.integer().default(1),
    /** Days of the trial; 0: none. */
    trialDays: p.integer().default(0),
    /** Whether visitors can enter the code of a coupon. */
    takesCoupons: p.boolean().default(false),
    /** How much of the address is asked for. */
    address: p.string().length(7).$type<AskedAddress>(),
    /** Whether a tax id is asked for. */
    takesTaxId: p.boolean().default(false),
    /** The terms that visitors accept: their address and their text. Null: none. */
    termsUrl: p.string().length(2048).nullable(),
    terms: p.text().nullable(),
    /** The addresses to which the page may lead back; the first is the usual one. */
    returnUrls: p.array().columnType('text[]').defaultRaw(`'{}'`),
    token,
    deletedAt: p.datetime().nullable(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    partialIndex('sign_up_page', 'sign_up_page_live', ['account_id, id', LIVE]),
    partialIndex('sign_up_page', 'sign_up_page_by_name', ['account_id, name, id', LIVE]),
    partialIndex('sign_up_page', 'sign_up_page_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('sign_up_page', 'sign_up_page_by_updated', ['account_id, updated_at, id', LIVE]),
    searchIndex('sign_up_page', NAME_KEYS),
  ],
  checks: [{ name: 'sign_up_page_quantity', expression: 'min_quantity >= 1 and max_quantity >= min_quantity' }],
});
export class SignUpPage extends SignUpPageSchema.class {}
SignUpPageSchema.setClass(SignUpPage);
