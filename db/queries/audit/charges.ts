import { disputed } from '../../schema/dispute.ts';
import { type Check, compare } from './check.ts';

/** Checks of convenience fees: those of charges recomputed from applications, refunds, disputes and the ledger entries. */
export const feeChecks: Check[] = [
  {
    name: 'fee income in the ledger is the convenience fees that payments have',
    sql: `select ${compare("'payment ' || id", 'fees', 'booked')} from (
            select p.account_id, p.id,
              coalesce((select sum(a.amount) from payment_application a where a.account_id = p.account_id and a.payment_id = p.id
                and a.type = 'convenience_fee'), 0) as fees,
              coalesce((select -sum(e.amount) from ledger_entry e where e.account_id = p.account_id and e.payment_id = p.id
                and e.ledger_account = 'fee_income'), 0) as booked
            from payment p) x where fees <> booked`,
  },
  {
    name: 'the convenience fee of a charge is what its payment has of it, and what refunds and disputes took',
    sql: `select ${compare("'charge ' || id", 'convenience_fee', 'found')} from (
            select c.account_id, c.id, c.convenience_fee,
              coalesce((select sum(a.amount) from payment_application a where a.account_id = p.account_id and a.payment_id = p.id
                and a.type = 'convenience_fee'), 0)
              + coalesce((select sum(r.from_fee) from refund r where r.account_id = c.account_id and r.charge_id = c.id
                and r.status <> 'failed'), 0)
              + coalesce((select sum(d.from_fee) from dispute d where d.account_id = c.account_id and d.charge_id = c.id), 0) as found
            from charge c join payment p on p.account_id = c.account_id and p.charge_id = c.id
            where c.status = 'succeeded' and not p.voided) x where convenience_fee <> found`,
  },
];

/** Checks of disputes and returns: sums of charges recomputed from them and from the ledger entries. */
export const disputeChecks: Check[] = [
  {
    name: 'disputes in the ledger are the amounts of the open disputes',
    sql: `select ${compare("'payment ' || id", 'held', 'booked')} from (
            select p.account_id, p.id,
              coalesce((select sum(d.amount) from dispute d where d.account_id = p.account_id and d.charge_id = p.charge_id
                and d.status = 'open'), 0) as held,
              coalesce((select sum(e.amount) from ledger_entry e where e.account_id = p.account_id and e.payment_id = p.id
                and e.ledger_account = 'disputes'), 0) as booked
            from payment p where p.charge_id is not null) x where held <> booked`,
  },
  {
    name: 'a charge has lost what its disputes and its return took',
    sql: `select ${compare("'charge ' || id", 'amount_lost', 'lost')} from (
            select c.account_id, c.id, c.amount_lost,
              case when c.returned_at is null then 0 else c.amount end + coalesce(sum(d.amount_lost), 0) as lost
            from charge c left join dispute d on d.account_id = c.account_id and d.charge_id = c.id
            group by c.account_id, c.id, c.amount_lost, c.returned_at, c.amount) x where amount_lost <> lost`,
  },
  {
    name: 'a charge is disputed while a bank has money of it because of a dispute',
    sql: `select ${compare("'charge ' || id", 'disputed', 'held')} from (
            select c.account_id, c.id, c.disputed, exists (select 1 from dispute d where d.account_id = c.account_id
              and d.charge_id = c.id and d.status in (${disputed})) as held from charge c) x where disputed <> held`,
  },
  {
    name: 'fees of gateways in the ledger are those of the charge',
    sql: `select ${compare("'payment ' || id", 'fee', 'booked')} from (
            select p.account_id, p.id, coalesce(c.gateway_fee, 0) as fee,
              coalesce((select sum(e.amount) from ledger_entry e where e.account_id = p.account_id and e.payment_id = p.id
                and e.ledger_account = 'gateway_fees'), 0) as booked
            from payment p join charge c on c.account_id = p.account_id and c.id = p.charge_id) x where fee <> booked`,
  },
];

/** Checks of refunds: sums of charges and payments recomputed from the refunds, attempts and ledger entries. */
export const refundChecks: Check[] = [
  {
    name: 'the refunded amount of a charge is the sum of its refunds',
    sql: `select ${compare("'charge ' || id", 'amount_refunded', 'refunded')} from (
            select c.account_id, c.id, c.amount_refunded, coalesce(sum(r.amount) filter (where r.status <> 'failed'), 0) as refunded
            from charge c left join refund r on r.account_id = c.account_id and r.charge_id = c.id
            group by c.account_id, c.id, c.amount_refunded) x where amount_refunded <> refunded`,
  },
  {
    name: 'a charge reserves the refunds that the gateway is being asked for',
    sql: `select ${compare("'charge ' || id", 'refund_reserved', 'asked')} from (
            select c.account_id, c.id, c.refund_reserved, coalesce(sum(a.amount) filter (where a.state = 'open'), 0) as asked
            from charge c left join attempt_refund r on r.account_id = c.account_id and r.charge_id = c.id
            left join attempt a on a.account_id = r.account_id and a.id = r.attempt_id
            group by c.account_id, c.id, c.refund_reserved) x where refund_reserved <> asked`,
  },
  {
    name: 'a charge shows its refunds as they are',
    sql: `select ${compare("'charge ' || id", 'shown', 'refunds')} from (
            select c.account_id, c.id,
              coalesce((select string_agg(concat_ws(' ', s ->> 'id', s ->> 'status', (s ->> 'amount')::numeric(18, 4), s ->> 'gatewayId',
                s ->> 'failureMessage', coalesce(s ->> 'convenienceFee', '0')::numeric(18, 4), s ->> 'updatedAt'), ', ' order by (s ->> 'id')::int) from jsonb_array_elements(c.refunds) s), '') as shown,
              coalesce((select string_agg(concat_ws(' ', r.id, r.status, r.amount, r.gateway_id, r.failure_message, r.from_fee,
                floor(extract(epoch from r.updated_at))), ', ' order by r.id)
                from refund r where r.account_id = c.account_id and r.charge_id = c.id), '') as refunds
            from charge c) x where shown <> refunds`,
  },
  {
    name: 'the status of a refund is that of its attempt',
    sql: `select ${compare("'refund ' || id", 'status', 'state')} from (
            select r.account_id, r.id, r.status,
              case a.state when 'unknown' then 'pending' when 'abandoned' then 'failed' else a.state end as state
            from refund r join attempt a on a.account_id = r.account_id and a.id = r.attempt_id) x where status <> state`,
  },
  {
    name: 'a payment has given what was refunded or lost of it, from its own money or as an expense',
    sql: `select ${compare("'payment ' || id", 'given', 'refunded')} from (
            select p.account_id, p.id, p.refunded_own + p.refund_expense as given,
              coalesce(c.amount_refunded + c.amount_lost, (select sum(r.amount) from refund r
                where r.account_id = p.account_id and r.payment_id = p.id and r.status <> 'failed'), 0) as refunded
            from payment p left join charge c on c.account_id = p.account_id and c.id = p.charge_id) x where given <> refunded`,
  },
  {
    name: 'a payment without a charge shows its refunds as they are',
    sql: `select ${compare("'payment ' || id", 'shown', 'refunds')} from (
            select p.account_id, p.id, coalesce((select string_agg(concat_ws(' ', s ->> 'id', s ->> 'status', (s ->> 'amount')::numeric(18, 4),
                s ->> 'method', s ->> 'date', s ->> 'reference', (s ->> 'returned')::boolean, s ->> 'updatedAt'), ', ' order by (s ->> 'id')::int)
                from jsonb_array_elements(p.refunds) s), '') as shown,
              coalesce((select string_agg(concat_ws(' ', r.id, r.status, r.amount, r.method, floor(extract(epoch from r.date)), r.reference,
                r.returned, floor(extract(epoch from r.updated_at))), ', ' order by r.id)
                from refund r where r.account_id = p.account_id and r.payment_id = p.id and r.charge_id is null), '') as refunds
            from payment p) x where shown <> refunds`,
  },
  {
    name: 'money that no gateway sent has left the cash account with its refund, once',
    sql: `select ${compare("'refund ' || id", 'sent', 'booked')} from (
            select r.account_id, r.id, case when r.status = 'failed' then 0 else r.amount end as sent,
              coalesce(-sum(e.amount) filter (where e.ledger_account = 'cash'), 0) as booked
            from refund r left join ledger_entry e on e.account_id = r.account_id and e.refund_id = r.id
              and e.ledger_account = 'cash' and (e.payment_id is not distinct from r.payment_id)
            where r.method is not null group by r.account_id, r.id, r.status, r.amount) x where sent <> booked`,
  },
  {
    name: 'a refund of credit has the change of the credit balance that paid it out',
    sql: `select ${compare("'refund ' || id", 'sent', 'adjusted')} from (
            select r.account_id, r.id, case when r.status = 'failed' then 0 else r.amount end as sent,
              -coalesce((select sum(a.amount) from credit_balance_adjustment a
                where a.account_id = r.account_id and a.refund_id = r.id), 0) as adjusted
            from refund r where r.method is not null and r.payment_id is null) x where sent <> adjusted`,
  },
  {
    name: 'the expense of refunds in the ledger is that of the payment',
    sql: `select ${compare("'payment ' || id", 'refund_expense', 'booked')} from (
            select p.account_id, p.id, p.refund_expense, coalesce(sum(e.amount), 0) as booked
            from payment p left join ledger_entry e
              on e.account_id = p.account_id and e.payment_id = p.id and e.ledger_account = 'refunds'
            group by p.account_id, p.id, p.refund_expense) x where refund_expense <> booked`,
  },
];
