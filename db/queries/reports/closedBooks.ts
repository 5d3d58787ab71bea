import { EFFECTIVE, ENTRY, ENTRY_IN_DAYS, OF_THEIR_DAY } from './receivables.ts';

/** SQL: the first change of the invoice of an entry `e` after it that was made while months were closed; null: none. */
const LATE_CHANGE = `(
    select min(l.id) from ledger_entry l where l.account_id = e.account_id and l.invoice_id = e.invoice_id and l.reason = 'change'
      and l.open_from is not null and l.id > e.id)`;

/** SQL: when an application `e` counted before that change. The entries of its invoice say which date the invoice had until then. */
const APPLIED_THEN = `greatest(least(e.document_at, e.posted_at), (
    select case e.reason when 'take_back' then (array_agg(x.document_at order by x.id desc))[1]
      else least((array_agg(x.document_at order by x.id desc))[1], min(x.posted_at)) end
    from ledger_entry x where x.account_id = e.account_id and x.invoice_id = e.invoice_id and x.ledger_account = 'receivable'
      and x.reason in ('issue', 'change') and x.id < ${LATE_CHANGE}))`;

/**
 * SQL: entries of invoices that were changed while months were closed, and when they count. What a change would move out of a month that was
 * closed by then stays there, and what it would move into one moves to the first day that was open then. `?`: account.
 */
const KEPT = `select e.id, case
      when e.reason in (${OF_THEIR_DAY}) then case when late.voided_from is null then ${EFFECTIVE}
        when e.posted_at < late.voided_from then e.posted_at else greatest(e.document_at, late.voided_from) end
      when late.redated_from is null or ${LATE_CHANGE} is null then ${EFFECTIVE}
      when ${APPLIED_THEN} < late.redated_from then ${APPLIED_THEN}
      else greatest(${EFFECTIVE}, late.redated_from) end as at
    from (
      select account_id, invoice_id, max(open_from) filter (where reason in ('void', 'delete')) as voided_from,
        max(open_from) filter (where reason = 'change') as redated_from
      from ledger_entry where account_id = ? and open_from is not null and reason in ('void', 'delete', 'change') group by 1, 2
    ) late
    join ledger_entry e on e.account_id = late.account_id and e.invoice_id = late.invoice_id
      and e.reason in (${OF_THEIR_DAY}, 'application', 'unapply', 'take_back')
    join invoice i on i.account_id = e.account_id and i.id = e.invoice_id`;

const KEPT_OF_ENTRY = `left join (${KEPT}) kept on kept.id = e.id`;

/** SQL: an entry `e` like `ENTRY`, and what `kept` says about it. `?`: account. */
export const ENTRIES_OF_BOOKS = `${ENTRY} ${KEPT_OF_ENTRY}`;

/** SQL: the same for sums before and in the days: `i` only where it matters (`ENTRY_IN_DAYS`), and the tables of `joins`. `?`: from, account. */
export const sumsOfBooks = (joins: string): string => `${ENTRY_IN_DAYS} ${joins} ${KEPT_OF_ENTRY}`;

/** SQL: when an entry counts by its own days. */
const OWN_DAY = `coalesce(kept.at, ${EFFECTIVE})`;

/**
 * SQL: when an entry of `ENTRIES_OF_BOOKS` counts in the books, and whether that is later than its own day. Nothing that is posted later changes a
 * closed month. `isClosed` false: as if no month had been closed.
 */
export function whenBooked(isClosed: boolean): { at: string; isLate: string } {
  if (!isClosed) return { at: EFFECTIVE, isLate: 'false' };
  return { at: `greatest(${OWN_DAY}, e.open_from)`, isLate: `coalesce(${OWN_DAY} < e.open_from, false)` };
}
