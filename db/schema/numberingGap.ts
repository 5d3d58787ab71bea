import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';
import type { Series } from './numbering.ts';

/**
 * Reason why a series has no document with a number: its draft is gone, its test clock is gone, its document took another number, or the
 * series was moved past it.
 */
export type GapReason = 'draft_deleted' | 'clock_deleted' | 'changed' | 'skipped';

const NumberingGapSchema = defineEntity({
  name: 'NumberingGap',
  policies: tenantPolicies,
  comment:
    'Numbers that a series passed without a document, with the reason; numbers that a document took later do not count',
  properties: {
    ...tenantKey,
    series: p.string().length(16).$type<Series>(),
    /** `prefixKey` of the prefix. */
    prefix: p.text(),
    first: p.integer(),
    last: p.integer(),
    reason: p.string().length(16).$type<GapReason>(),
    documentId: p.integer().nullable(),
    createdAt: p.datetime(),
  },
  indexes: [{ name: 'numbering_gap_by_series', properties: ['accountId', 'series', 'prefix', 'first'] }],
});
export class NumberingGap extends NumberingGapSchema.class {}
NumberingGapSchema.setClass(NumberingGap);
