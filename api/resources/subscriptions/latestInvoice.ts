import { condition } from '../../../db/queries/kernel/condition.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import type { Subscription } from '../../../db/schema/subscription.ts';
import { presentInvoice } from '../../../present/documents/invoice.ts';
import type { Include } from '../../framework/resource.ts';

/** Id of the invoice for the latest billed period of each subscription. The index on segment and period finds it. */
const LATEST = `id in (select (
    select i.id from invoice i
    where i.account_id = ? and i.subscription_id = s and i.period is not null and i.deleted_at is null
    order by i.segment desc, i.period desc limit 1)
  from unnest(?::int[]) s)`;

/** The invoice for the latest billed period, with its lines; null: none was billed. */
export const latestInvoice: Include<Subscription> = async (reading, rows) => {
  const [first] = rows;
  if (!first) return [];
  const where = condition(LATEST, first.accountId, `{${rows.map(({ id }) => id).join(',')}}`);
  const found = await reading.slice({ row: Invoice, where, order: [], limit: rows.length, offset: 0 });
  const invoices = new Map(found.map(({ row }) => [row.subscription?.id, row]));
  const ids = found.map(({ row }) => row.id);
  const lines = await reading.children(LineItem, { column: 'invoice_id', ids, orderBy: 'position' });
  return rows.map(({ id }) => {
    const invoice = invoices.get(id);
    return invoice ? presentInvoice(invoice, lines.get(invoice.id) ?? []) : null;
  });
};
