import type { Change } from './change.ts';

/** In version 2026-11-01, `metadata` is always an object. Earlier versions show empty metadata as an empty array. */
export const emptyMetadata: Change = {
  since: '2026-11-01',
  kinds: [
    'customer',
    'invoice',
    'estimate',
    'credit_note',
    'line_item',
    'payment',
    'subscription',
    'item',
    'plan',
    'coupon',
    'tax_rate',
  ],
  before: (object) => (isEmptyObject(object.metadata) ? { ...object, metadata: [] } : object),
};

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
