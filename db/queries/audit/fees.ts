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
