import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';

export type LogoType = 'image/png' | 'image/jpeg';

const LogoSchema = defineEntity({
  name: 'Logo',
  policies: tenantPolicies,
  comment:
    'A picture of the seller, as it was when it was chosen: documents issued with it keep it, whatever becomes of the file',
  properties: {
    ...tenantKey,
    /** SHA-256 of the bytes. */
    hash: p.string().length(64),
    type: p.string().length(10).$type<LogoType>(),
    bytes: p.blob(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'logo_hash', properties: ['accountId', 'hash'] }],
  checks: [{ name: 'logo_type', expression: "type in ('image/png', 'image/jpeg')" }],
});
export class Logo extends LogoSchema.class {}
LogoSchema.setClass(Logo);
