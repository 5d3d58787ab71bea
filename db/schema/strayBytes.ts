import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';

const StrayBytesSchema = defineEntity({
  name: 'StrayBytes',
  policies: tenantPolicies,
  comment: 'Bytes in the file store without a file: being uploaded, or of a deleted file; removed when due',
  properties: {
    ...tenantKey,
    storeKey: p.string().length(255),
    /** Real time. */
    dueAt: p.datetime(),
    /** They are about to be removed: no file may adopt them any more. */
    doomed: p.boolean(),
  },
  indexes: [{ name: 'stray_bytes_due', properties: ['dueAt'] }],
});
export class StrayBytes extends StrayBytesSchema.class {}
StrayBytesSchema.setClass(StrayBytes);
