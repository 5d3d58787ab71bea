import { expect } from '@jest/globals';
import { readTestGatewayRecord } from '../../../adapters/gateways/test/record.ts';
import type { Product } from '../../support/product.ts';
import { expectSound } from '../../support/soundness.ts';
import { until } from '../../support/wait.ts';

/** Number of captures for an invoice, by the gateway's record. */
export async function capturesOf(product: Product, invoiceId: number): Promise<number> {
  const attempts = await product.rows<{ reference: string }>(
    `select a.reference from attempt a join attempt_invoice ai on ai.account_id = a.account_id and ai.attempt_id = a.id
     where ai.invoice_id = ? and a.reference is not null`,
    [invoiceId],
  );
  const references = new Set(attempts.map(({ reference }) => reference));
  const record = await readTestGatewayRecord(product.config.databaseUrl);
  return record.filter(({ reference }) => references.has(reference)).reduce((sum, { captured }) => sum + captured, 0);
}

/** Waits until an invoice is paid. Temporal notices a worker's death only after ten seconds. */
export async function untilPaid(product: Product, invoiceId: number): Promise<void> {
  const paid = () => product.rows('select 1 from invoice where id = ? and paid', [invoiceId]);
  await until(async () => (await paid()).length > 0, { what: `invoice ${invoiceId} to be paid` });
}

/** Number of all captures, by the gateway's record. */
export async function allCaptures(product: Product): Promise<number> {
  const record = await readTestGatewayRecord(product.config.databaseUrl);
  return record.reduce((sum, { captured }) => sum + captured, 0);
}

/**
 * Expects the invariants that hold after every fault: the books are consistent and agree with the gateway, every attempt has an outcome, no
 * charge was captured twice, no invoice was paid above its total, no period was billed twice, every event is in the log once and was
 * delivered, and no problem is open.
 */
export async function expectRecovered(product: Product): Promise<void> {
  await expectSound(product, product.endpoint ? [product.endpoint] : []);
  const record = await readTestGatewayRecord(product.config.databaseUrl);
  expect(record.filter(({ captured }) => captured > 1)).toEqual([]);
  expect(await product.rows(paidTooMuch)).toEqual([]);
  expect(await product.rows(billedTwice)).toEqual([]);
  expect(await product.rows(loggedOtherThanOnce)).toEqual([]);
  expect(await product.rows('select subject_type, subject_id, message from problem where closed_at is null')).toEqual(
    [],
  );
}

/**
 * Invoices to which more is applied than their total, or for which charges took more than was ever owed: the total, and what was taken back
 * from earlier payments, or given up before the invoice was reopened.
 */
const paidTooMuch = `
  select * from (
    select i.account_id, i.id, i.total,
      coalesce((select sum(p.amount) from payment_application p where p.account_id = i.account_id and p.invoice_id = i.id), 0) as applied,
      coalesce((select sum(ai.amount) from attempt_invoice ai
        join attempt a on a.account_id = ai.account_id and a.id = ai.attempt_id and a.state = 'succeeded'
        where ai.account_id = i.account_id and ai.invoice_id = i.id), 0) as charged,
      coalesce((select sum(abs(e.amount)) from ledger_entry e where e.account_id = i.account_id and e.invoice_id = i.id
        and e.ledger_account = 'receivable' and e.reason in ('unapply', 'take_back', 'write_off')), 0) as owed_again
    from invoice i) x
  where applied > total or charged > total + owed_again`;

const billedTwice = `
  select subscription_id, segment, period, count(*)::int as invoices from invoice
  where subscription_id is not null and period is not null
  group by account_id, subscription_id, segment, period having count(*) > 1`;

const loggedOtherThanOnce = `
  select e.id, e.type, count(l.event_id)::int as times from event e
  left join event_log l on l.account_id = e.account_id and l.event_id = e.id
  group by e.account_id, e.id, e.type having count(l.event_id) <> 1`;
