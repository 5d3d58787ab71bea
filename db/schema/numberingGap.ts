import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';
import type { Series } from './numbering.ts';

/** Why a series has no document of a number: a draft that had it is gone, its test clock is, a document took another, or the series was moved on. */
export type GapReason = 'draft_deleted' | 'clock_deleted' | 'changed' | 'skipped';

const NumberingGapSchema = defineEntity({
  name: 'NumberingGap',
  policies: tenantPolicies,
  comment: 'Numbers that a series gave up, and why; those that a document has again do not count',
  properties: {
    ...tenantKey,
    series: p.string().length(16).$type<Series>(),
    /** The key of the prefix: `prefixKey`. */
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
