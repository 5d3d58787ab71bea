import { disputed } from '../../schema/dispute.ts';
import { type Check, compare } from './check.ts';

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
