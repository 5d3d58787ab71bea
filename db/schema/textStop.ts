import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';

const TextStopSchema = defineEntity({
  name: 'TextStop',
  policies: tenantPolicies,
  comment:
    'A number that wants no texts from the account. It stays when its customer is anonymized, so only its digest is kept',
  properties: {
    ...tenantKey,
    /** SHA-256 of the account and the number, hexadecimal. */
    digest: p.string().length(64),
    stoppedAt: p.datetime(),
    /** When it allowed texts again; null: they are stopped. */
    resumedAt: p.datetime().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'text_stop_digest', properties: ['accountId', 'digest'] }],
});
export class TextStop extends TextStopSchema.class {}
TextStopSchema.setClass(TextStop);
