import type { PaymentSourceType } from '../../../billing/payments/paymentMethods.ts';
import type { Interruption } from '../../../billing/wait.ts';
import type { EntityManager } from '../../orm.ts';
import type { AttemptState } from '../../schema/attempt.ts';

/** A payment source that was added on a page, as the page tells about it. */
export interface AddedSource {
  id: number;
  state: AttemptState;
  failureCode: string | null;
  interruption: Interruption | null;
  startedAt: Date;
  /** Null: it was not stored, or not yet. */
  source: StoredOnPage | null;
}

export interface StoredOnPage {
  id: number;
  type: PaymentSourceType;
  last4: string;
  brand: string | null;
  chargeable: boolean;
  failureReason: string | null;
  isDefault: boolean;
  /** State of its last confirmation; null: there was none. */
  verification: AttemptState | null;
}

interface Named {
  accountId: number;
  customerId: number;
  key: string;
}

/** The attempt of a page that stores a source of a customer, by its key; null: there is none. */
export async function addedSource(em: EntityManager, named: Named): Promise<AddedSource | null> {
  const [row] = await em.execute<(Omit<AddedSource, 'startedAt'> & { startedAt: string | Date })[]>(
    `select a.id, a.state, a.failure_code as "failureCode", a.interruption, a.started_at as "startedAt",
       case when s.id is not null then json_build_object('id', s.id, 'type', s.type, 'last4', s.last4, 'brand', s.brand,
         'chargeable', s.chargeable and s.deleted_at is null, 'failureReason', s.failure_reason,
         'isDefault', c.default_source_id is not distinct from s.id,
         'verification', (select v.state from attempt v where v.account_id = a.account_id and v.customer_id = a.customer_id
            and v.source_id = s.id and v.kind = 'verify_source' order by v.id desc limit 1)) end as source
     from attempt a
     join customer c on c.account_id = a.account_id and c.id = a.customer_id
     left join payment_source s on s.account_id = a.account_id and s.id = a.source_id
     where a.account_id = ? and a.key = ? and a.customer_id = ? and a.kind = 'vault' and a.origin = 'page'`,
    [named.accountId, named.key, named.customerId],
  );
  return row ? { ...row, startedAt: new Date(row.startedAt) } : null;
}

/** An invoice whose charge had failed, and what came of its charge to the new source. */
export interface RetriedInvoice {
  id: number;
  token: string;
  number: string | null;
  currency: string;
  amount: string;
  /** State of its charge to the source; null: it waits to be charged at once. */
  state: AttemptState | null;
  failureCode: string | null;
  isOpen: boolean;
}

const MOST_INVOICES = 20;

/** The invoices that AutoPay has charged to a source, and those that it charges at once, oldest first. At most 20. */
export async function retriedInvoices(
  em: EntityManager,
  { accountId, customerId, sourceId }: { accountId: number; customerId: number; sourceId: number },
  systemNow: Date,
): Promise<RetriedInvoice[]> {
  const charged = `select distinct on (t.invoice_id) t.invoice_id, t.amount, a.state, a.failure_code
     from attempt a join attempt_invoice t on t.account_id = a.account_id and t.attempt_id = a.id
     where a.account_id = ? and a.customer_id = ? and a.source_id = ? and a.kind = 'charge' and a.origin = 'autopay'
     order by t.invoice_id, a.id desc`;
  return em.execute<RetriedInvoice[]>(
    `with charged as (${charged})
     select i.id, i.token, i.number, i.currency, coalesce(charged.amount, i.balance) as amount, charged.state,
       charged.failure_code as "failureCode", not i.closed as "isOpen"
     from invoice i left join charged on charged.invoice_id = i.id
     where i.account_id = ? and i.customer_id = ? and (charged.invoice_id is not null
       or (i.autopay and not i.closed and not i.pending and i.next_payment_attempt_at <= coalesce((select k.frozen_at from customer c
         join test_clock k on k.account_id = c.account_id and k.id = c.test_clock_id
         where c.account_id = i.account_id and c.id = i.customer_id), ?)))
     order by i.id desc limit ${MOST_INVOICES}`,
    [accountId, customerId, sourceId, accountId, customerId, systemNow],
  );
}
