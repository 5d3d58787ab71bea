import { type GapFree, numberSeries, numberValues, uncovered } from '../documents/numbers.ts';
import { type Check, compare, digitsOf } from './check.ts';

/** Tables of documents with lines, and the column by which lines refer to them. */
const documents = [
  { table: 'invoice', line: 'invoice_id' },
  { table: 'credit_note', line: 'credit_note_id' },
  { table: 'estimate', line: 'estimate_id' },
];

/** SQL: all discounts or taxes of documents and their lines, as account, document and `part`. */
const parts = (column: 'discounts' | 'taxes', { table, line }: (typeof documents)[number]): string =>
  `select d.account_id, d.id, p.value as part from ${table} d cross join jsonb_array_elements(d.${column}) p
   union all select l.account_id, l.${line}, p.value from line_item l cross join jsonb_array_elements(l.${column}) p
   where l.${line} is not null`;

const sumOfParts = (column: 'discounts' | 'taxes', document: (typeof documents)[number], where = 'true'): string =>
  `coalesce((select sum((p.part ->> 'amount')::numeric) from (${parts(column, document)}) p
     where p.account_id = d.account_id and p.id = d.id and ${where}), 0)`;

const INCLUSIVE = `(p.part -> 'taxRate' ->> 'inclusive')::boolean`;

/** Checks of the amounts computed from a document's lines, discounts and taxes. */
function calculationChecks(document: (typeof documents)[number]): Check[] {
  const { table, line } = document;
  const name = `'${table} ' || coalesce(number, id::text)`;
  const sumOfLines = (column: string) =>
    `coalesce((select sum(l.${column}) from line_item l where l.account_id = d.account_id and l.${line} = d.id), 0)`;
  const computed = `select d.account_id, d.id, d.number, d.subtotal, d.total, ${sumOfLines('amount')} as amounts,
    ${sumOfLines('net')} as nets, ${sumOfParts('discounts', document)} as discounts, ${sumOfParts('taxes', document)} as taxes,
    ${sumOfParts('taxes', document, INCLUSIVE)} as inclusive from ${table} d`;
  return [
    {
      name: `${table}: subtotal is the sum of the lines without the taxes in them`,
      sql: `select ${compare(name, 'subtotal', 'amounts - inclusive')} from (${computed}) x where subtotal <> amounts - inclusive`,
    },
    {
      name: `${table}: total is subtotal less discounts and with taxes`,
      sql: `select ${compare(name, 'total', 'subtotal - discounts + taxes')} from (${computed}) x
            where total <> subtotal - discounts + taxes`,
    },
    {
      name: `${table}: total is what its lines earn and its taxes`,
      sql: `select ${compare(name, 'total', 'nets + taxes')} from (${computed}) x where total <> nets + taxes`,
    },
  ];
}

/** SQL: condition of issued invoices that are not voided. */
const LIVE = 'i.issued_at is not null and i.voided_at is null';
const earned = `select i.account_id, i.id, 'revenue' || coalesce(':' || nullif(l.gl_account, ''), '') as ledger_account, l.net as amount
    from invoice i join line_item l on l.account_id = i.account_id and l.invoice_id = i.id where ${LIVE}
  union all
  select i.account_id, i.id, 'tax_payable' || coalesce(':' || (p.part -> 'taxRate' ->> 'id'), ''), (p.part ->> 'amount')::numeric
    from invoice i join (${parts('taxes', { table: 'invoice', line: 'invoice_id' })}) p on p.account_id = i.account_id and p.id = i.id
    where ${LIVE}
  union all
  select w.account_id, w.invoice_id, t.key, -t.value::numeric from write_off w cross join jsonb_each_text(w.taxes) t where w.reversed_at is null`;

/** SQL: the tax that the write-offs of invoice i took back. */
const TAX_BACK = `coalesce((select sum(t.value::numeric) from write_off w cross join jsonb_each_text(w.taxes) t
  where w.account_id = i.account_id and w.invoice_id = i.id and w.reversed_at is null), 0)`;

/** SQL: amounts that credit notes give back, by account, credit note and ledger account. */
export const creditedByNotes = `
  select n.account_id, n.id, 'revenue' || coalesce(':' || nullif(l.gl_account, ''), '') as ledger_account, l.net as amount
    from credit_note n join line_item l on l.account_id = n.account_id and l.credit_note_id = n.id
    where n.issued_at is not null and n.voided_at is null
  union all
  select n.account_id, n.id, 'tax_payable' || coalesce(':' || (p.part -> 'taxRate' ->> 'id'), ''), (p.part ->> 'amount')::numeric
    from credit_note n join (${parts('taxes', { table: 'credit_note', line: 'credit_note_id' })}) p
      on p.account_id = n.account_id and p.id = n.id
    where n.issued_at is not null and n.voided_at is null`;

const numberInWords = (v: string): string => `prefix || lpad(${v}::text, greatest(5, length(${v}::text)), '0')`;
const numbersInWords = `${numberInWords('first')} || case when last > first then ' to ' || ${numberInWords('last')} else '' end`;

function numberCheck(series: GapFree): Check {
  return {
    isOfAccount: true,
    name: `${series}: every number that the series has passed is that of a document, or it is known why not`,
    sql: `select ${compare(numbersInWords, "'unknown'", "'a reason'")} from (${uncovered(
      numberSeries(series),
      `select account_id, prefix, v as first, v as last from (${numberValues(series, 'd.number_key is not null')}) numbered
       union all select account_id, prefix, first, last from numbering_gap where series = '${series}'`,
    )}) missing`,
  };
}

/** SQL: condition of the row `line`, a line of a credit note that corrects an invoice. */
const OF_CORRECTION = `line.credit_note_id is not null and exists (select from credit_note n
  where n.account_id = line.account_id and n.id = line.credit_note_id and n.invoice_id is not null)`;

/** SQL: the most by which rounding can have changed the row `line` of OF_CORRECTION: a minor unit for each line of these credit notes. */
const MOST_ROUNDED = `(select count(*) from credit_note n
    join credit_note other on other.account_id = n.account_id and other.invoice_id = n.invoice_id
    join line_item l on l.account_id = n.account_id and l.credit_note_id = other.id
    where n.account_id = line.account_id and n.id = line.credit_note_id) * power(10::numeric, -${digitsOf('line.currency')})`;

export const documentChecks: Check[] = [
  {
    name: 'a customer with pending lines is marked as one',
    sql: `select ${compare("'customer ' || id", 'has_pending_lines', 'true')} from customer c where not has_pending_lines and exists (
            select 1 from line_item l where l.account_id = c.account_id and l.customer_id = c.id)`,
  },
  ...documents.flatMap(calculationChecks),
  {
    name: 'line amount is quantity x unit cost, rounded',
    sql: `select ${compare("'line ' || id", 'amount', 'exact')} from (
            select account_id, id, amount, round(quantity * unit_cost, ${digitsOf('currency')}) as exact from line_item line
            where not (${OF_CORRECTION})) x
          where amount <> exact`,
  },
  {
    name: 'line amount of a credit note is what rounding leaves of the lines of its invoice',
    sql: `select ${compare("'line ' || id", 'amount', "'about ' || exact")} from (
            select account_id, id, amount, quantity * unit_cost as exact, ${MOST_ROUNDED} as most from line_item line
            where ${OF_CORRECTION} and amount <> round(quantity * unit_cost, ${digitsOf('currency')})) x
          where abs(amount - exact) > most or amount < 0`,
  },
  {
    name: 'an issued invoice has a number and a snapshot',
    sql: `select ${compare("'invoice ' || id", "coalesce(number, 'none')", "'a number and a snapshot'")} from invoice
          where issued_at is not null and (number is null or snapshot_id is null)`,
  },
  ...(['invoice', 'credit_note', 'receipt'] as const).map(numberCheck),
  {
    name: 'invoice balance is total less what is applied',
    sql: `select ${compare("'invoice ' || number", 'balance', 'owed')} from (
            select i.account_id, i.number, i.balance,
                   case when i.voided_at is not null then 0 else i.total - i.written_off - coalesce(sum(a.amount), 0) end as owed
            from invoice i left join payment_application a on a.account_id = i.account_id and a.invoice_id = i.id
            group by i.account_id, i.id, i.number, i.balance, i.voided_at, i.total, i.written_off) x where balance <> owed`,
  },
  {
    name: 'what a customer owes in a currency is the balances of its open invoices',
    sql: `select ${compare("'customer ' || customer_id || ' ' || currency", 'kept', 'owed')} from (
            select account_id, customer_id, currency,
              concat_ws(' ', coalesce(b.balance, 0.0000), coalesce(b.overdue, 0.0000), b.oldest_due_at) as kept,
              concat_ws(' ', coalesce(o.balance, 0.0000), coalesce(o.overdue, 0.0000), o.oldest_due_at) as owed
            from customer_balance b full join (
              select account_id, customer_id, currency, sum(i.balance)::numeric(18, 4) as balance,
                sum(case when i.past_due then i.balance else 0 end)::numeric(18, 4) as overdue, min(i.due_at) as oldest_due_at
              from invoice i where i.issued_at is not null and not i.closed group by account_id, customer_id, currency) o
              using (account_id, customer_id, currency)) x where kept <> owed`,
  },
  {
    name: 'receivable in the ledger is the balance of the invoice',
    sql: `select ${compare("'invoice ' || coalesce(number, id::text)", 'owed', 'receivable')} from (
            select i.account_id, i.id, i.number,
                   case when i.issued_at is null or i.written_off_at is not null then 0 else i.balance end as owed,
                   coalesce(sum(e.amount), 0) as receivable
            from invoice i left join ledger_entry e
              on e.account_id = i.account_id and e.invoice_id = i.id and e.ledger_account = 'receivable'
            group by i.account_id, i.id, i.number, i.issued_at, i.written_off_at, i.balance) x where owed <> receivable`,
  },
  {
    name: 'revenue and tax payable in the ledger are those of the invoice',
    sql: `select ${compare("'invoice ' || id || ' ' || ledger_account", 'sum(posted)', 'sum(earned)')} from (
            select account_id, id, ledger_account, amount as earned, 0 as posted from (${earned}) x
            union all
            select account_id, invoice_id, ledger_account, 0, -amount from ledger_entry
            where invoice_id is not null and (ledger_account like 'revenue%' or ledger_account like 'tax_payable%')) x
          group by account_id, id, ledger_account having sum(earned) <> sum(posted)`,
  },
  {
    name: 'bad debt in the ledger is what was given up of invoices, less the tax that it took back',
    sql: `select ${compare("'invoice ' || coalesce(number, id::text)", 'lost', 'posted')} from (
            select i.account_id, i.id, i.number, i.written_off + case when i.written_off_at is null then 0 else i.balance end - ${TAX_BACK} as lost,
                   coalesce(sum(e.amount), 0) as posted
            from invoice i left join ledger_entry e
              on e.account_id = i.account_id and e.invoice_id = i.id and (e.ledger_account = 'bad_debt' or e.ledger_account like 'bad_debt:%')
            group by i.account_id, i.id, i.number, i.written_off, i.written_off_at, i.balance) x where lost <> posted`,
  },
  {
    name: 'what is written off of an open or paid invoice is the sum of its write-offs',
    sql: `select ${compare("'invoice ' || coalesce(number, id::text)", 'written_off', 'given_up')} from (
            select i.account_id, i.id, i.number, i.written_off, coalesce((select sum(w.amount) from write_off w
              where w.account_id = i.account_id and w.invoice_id = i.id and w.reversed_at is null and w.kind <> 'whole'), 0) as given_up
            from invoice i) x where written_off <> given_up`,
  },
  {
    name: 'an invoice is paid when, and only when, nothing of it is owed',
    sql: `select ${compare("'invoice ' || coalesce(number, id::text)", 'paid', "status not in ('voided', 'draft') and balance = 0")}
          from invoice where paid <> (status not in ('voided', 'draft') and balance = 0) or paid <> (status = 'paid')`,
  },
  {
    name: 'an invoice is closed when it is paid, given up or voided, and only then',
    sql: `select ${compare("'invoice ' || coalesce(number, id::text)", 'closed', 'over')} from (
            select account_id, id, number, closed, paid or voided_at is not null or written_off_at is not null as over from invoice) x
          where closed <> over`,
  },
];

const ESTIMATE_NAME = "'estimate ' || coalesce(number, id::text)";

/** SQL: for each payment, the amount that it reserved as deposits, less the deposits with which it paid invoices. */
const depositsAside = `select account_id, payment_id, sum(case type when 'deposit' then -amount else amount end) as aside
  from payment_application where estimate_id is not null group by account_id, payment_id`;

/** Checks of estimates: deposits recomputed from payments and the ledger, status from their other columns. */
export const estimateChecks: Check[] = [
  {
    name: 'the deposit of an estimate is what payments put aside for it, less what has paid its invoice',
    sql: `select ${compare(ESTIMATE_NAME, "deposit_received || ' ' || deposit_left", "received || ' ' || received_less")} from (
            select e.account_id, e.id, e.number, e.deposit_received, e.deposit_left,
                   coalesce(sum(a.amount) filter (where a.type <> 'deposit'), 0)::numeric(18, 4) as received,
                   coalesce(sum(case a.type when 'deposit' then -a.amount else a.amount end), 0)::numeric(18, 4) as received_less
            from estimate e left join payment_application a on a.account_id = e.account_id and a.estimate_id = e.id
            group by e.account_id, e.id, e.number, e.deposit_received, e.deposit_left) x where deposit_received <> received or deposit_left <> received_less`,
  },
  {
    name: 'deposits in the ledger are what payments put aside',
    sql: `select ${compare("'payment ' || payment_id", 'sum(aside)', 'sum(booked)')} from (
            select account_id, payment_id, aside, 0 as booked from (${depositsAside}) a
            union all
            select account_id, payment_id, 0, -amount from ledger_entry
            where ledger_account = 'customer_credits:deposits' and payment_id is not null) x
          group by account_id, payment_id having sum(aside) <> sum(booked)`,
  },
  {
    name: 'the status of an estimate is what the rest of it says',
    sql: `select ${compare(ESTIMATE_NAME, "status || ' ' || deposit_paid", "says || ' ' || is_paid")} from (
            select *, case when voided_at is not null then 'voided' when issued_at is null then 'draft' when invoice_id is not null then 'invoiced'
                when closed and approved_at is null then 'declined' when approved_at is not null then 'approved'
                when sent_at is not null then 'sent' else 'not_sent' end as says,
              deposit_said_paid or (deposit_received > 0 and deposit_received >= deposit) as is_paid
            from estimate) x where status <> says or deposit_paid <> is_paid`,
  },
  {
    name: 'an issued estimate has a number and a snapshot',
    sql: `select ${compare("'estimate ' || id", "coalesce(number, 'none')", "'a number and a snapshot'")} from estimate
          where issued_at is not null and (number is null or snapshot_id is null)`,
  },
];
