import { defineEntity, p } from '@mikro-orm/core';
import type { Settings } from '../../billing/settings.ts';
import { accountPolicies } from '../tenant.ts';
import { timestamps } from './columns.ts';

export type Environment = 'live' | 'sandbox';

const AccountSchema = defineEntity({
  name: 'Account',
  comment: 'One business in one environment',
  policies: accountPolicies,
  properties: {
    id: p.integer().primary().autoincrement(),
    environment: p.string().length(7).$type<Environment>(),
    /** The same business in the other environment. */
    twinId: p.integer().nullable(),
    name: p.string().length(255),
    email: p.string().length(255).nullable(),
    address1: p.string().length(255).nullable(),
    address2: p.string().length(255).nullable(),
    city: p.string().length(255).nullable(),
    state: p.string().length(255).nullable(),
    postalCode: p.string().length(255).nullable(),
    country: p.string().length(2).nullable(),
    taxId: p.string().length(255).nullable(),
    /** #rrggbb; null: ours. */
    accentColor: p.string().length(7).nullable(),
    /** The file that the logo was taken from, which may be gone; the picture itself is in `logo`, by its hash. */
    logoFileId: p.integer().nullable(),
    logoHash: p.string().length(64).nullable(),
    language: p.string().length(2),
    currency: p.string().length(3),
    timeZone: p.string().length(64),
    apiVersion: p.string().length(10),
    /** Settings that differ from their defaults; `billing/settings.ts` is the table of them all. */
    settings: p.json().$type<Partial<Settings>>(),
    ...timestamps,
  },
  checks: [{ name: 'account_environment', expression: "environment in ('live', 'sandbox')" }],
});
export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account);
