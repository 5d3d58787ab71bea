import { defineEntity, p } from '@mikro-orm/core';
import type { BillToSnapshot, SellerSnapshot } from '../../billing/documents/snapshot.ts';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';

const SnapshotSchema = defineEntity({
  name: 'Snapshot',
  policies: tenantPolicies,
  comment: 'Seller, buyer and language of documents when they were issued; equal ones are stored once',
  properties: {
    ...tenantKey,
    /** SHA-256 of seller, customer and language. */
    hash: p.string().length(64),
    seller: p.json().$type<SellerSnapshot>(),
    billTo: p.json().$type<BillToSnapshot>(),
    language: p.string().length(2),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'snapshot_hash', properties: ['accountId', 'hash'] }],
});
export class Snapshot extends SnapshotSchema.class {}
SnapshotSchema.setClass(Snapshot);
