import { expect, test } from '@jest/globals';
import { invoiceStatus, whyLocked } from '../../billing/documents/invoice.ts';
import { explainMissing } from '../../billing/documents/numbering.ts';
import { newShipTo } from '../../billing/documents/shipTo.ts';

test('the status is the first that applies', () => {
  const all = { voided: true, draft: true, balance: '0.00', pending: true, pastDue: true, viewed: true, sent: true };
  const inOrder = [
    { status: 'voided', without: { voided: false } },
    { status: 'draft', without: { draft: false } },
    { status: 'paid', without: { balance: '1.00' } },
    { status: 'pending', without: { pending: false } },
    { status: 'past_due', without: { pastDue: false } },
    { status: 'viewed', without: { viewed: false } },
    { status: 'sent', without: { sent: false } },
    { status: 'not_sent', without: {} },
  ];
  let facts = all;
  for (const { status, without } of inOrder) {
    expect(invoiceStatus(facts)).toBe(status);
    facts = { ...facts, ...without };
  }
});

test('applications always lock fields, sending only with the setting', () => {
  const known = { voided: false, writtenOff: false, sent: false, applied: false, reduced: false };
  const free = { ...known, charging: false, planned: false, correction: null };
  for (const lockDocuments of ['sent', 'paid'] as const) {
    expect(whyLocked({ ...free, lockDocuments })).toBeNull();
    for (const fact of ['voided', 'writtenOff', 'applied', 'planned', 'charging'])
      expect(whyLocked({ ...free, lockDocuments, [fact]: true })).not.toBeNull();
    expect(whyLocked({ ...free, lockDocuments, sent: true }) !== null).toBe(lockDocuments === 'sent');
  }
  expect(whyLocked({ ...free, lockDocuments: 'paid', correction: 'CN-1' })).toContain('CN-1');
});

test('each missing number has the first explanation that covers it', () => {
  const deleted = { first: 3, last: 3, reason: 'deleted' as const, documentId: 7 };
  const skipped = { first: 3, last: 8, reason: 'skipped' as const, documentId: null };
  const draft = { first: 5, last: 5, reason: 'draft' as const, documentId: 9 };
  const missing = [
    { first: 2, last: 9 },
    { first: 12, last: 12 },
  ];
  expect([...explainMissing(missing, [deleted, skipped, draft])]).toEqual([
    { first: 2, last: 2, reason: 'unknown', documentId: null },
    deleted,
    { ...skipped, first: 4, last: 4 },
    draft,
    { ...skipped, first: 6 },
    { first: 9, last: 9, reason: 'unknown', documentId: null },
    { first: 12, last: 12, reason: 'unknown', documentId: null },
  ]);
});

test('a hundred thousand missing numbers and as many explanations are matched in one pass', () => {
  const count = 100_000;
  let looks = 0;
  /** A range of one number that counts the reads of its end. */
  const counted = (n: number) => ({
    first: n,
    get last() {
      looks += 1;
      if (looks > 20 * count) throw new Error('each is looked at again and again');
      return n;
    },
    reason: 'deleted' as const,
    documentId: n,
  });
  const missing = Array.from({ length: count }, (_, n) => ({ first: n * 2, last: n * 2 }));
  const deleted = Array.from({ length: count }, (_, n) => counted(n * 4));
  const skipped = { first: 0, last: 200_000, reason: 'skipped' as const, documentId: null };
  const parts = [...explainMissing(missing, [skipped, ...deleted])];
  const reasons = Map.groupBy(parts, ({ reason }) => reason);
  // 0, 4, …, 199,996 are deleted; 2, 6, …, 199,998 are skipped
  expect([...reasons].map(([reason, { length }]) => [reason, length])).toEqual([
    ['deleted', 50_000],
    ['skipped', 50_000],
  ]);
});

test('an unchanged address keeps its time, and an empty address is none', () => {
  const nothing = { attentionTo: null, address1: null, address2: null, state: null, postalCode: null, country: null };
  const bonn = { ...nothing, name: 'Dock', city: 'Bonn' };
  const first = newShipTo(bonn, null, 1000);
  expect(first).toEqual({ ...bonn, updatedAt: 1000 });
  expect(newShipTo({ ...bonn }, first, 2000)).toEqual(first);
  expect(newShipTo({ ...bonn, city: 'Rome' }, first, 2000)).toEqual({ ...bonn, city: 'Rome', updatedAt: 2000 });
  expect(newShipTo({ ...nothing, name: null, city: null }, first, 2000)).toBeNull();
});
