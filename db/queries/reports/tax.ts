import type { Asked } from '../../../billing/reports/report.ts';
import type { Statement } from '../kernel/slices.ts';
import { type Condition, condition } from '../kernel/sql.ts';
import { EFFECTIVE, limits } from './receivables.ts';
import { chosen, countsAt, earnedInDays, live, periodOf } from './sales.ts';

/** What tells rows apart, besides the currency and `details`: each is an option with which rows are chosen. */
export const TAX_KEYS = [
  'kind',
  'treatment',
  'tax_rate',
  'name',
  'percent',
  'tax_behavior',
  'country',
  'state',
] as const;

/** Further columns by which rows are separate. `document`: a row for each invoice and credit note. */
export const taxDetails = ['customer', 'document'] as const;

/**
 * SQL: the place that is taxed (`taxedPlace`): that of the shipping address of invoice `i`, if it has a country, else of the customer in
 * snapshot `s`.
 */
const PLACE = ['country', 'state']
  .map(
    (part) =>
      `nullif((case when i.ship_to ->> 'country' is null then s.bill_to else i.ship_to end) ->> '${part}', '') as ${part}`,
  )
  .join(', ');

/** SQL: the issued invoices and credit notes of the days. Those of credit notes are negative. */
function documentsOf(asked: Asked): Condition {
  const { accountId, knownAt, days } = asked;
  const limited = limits(asked, 'd.currency');
  const part = (table: 'invoice' | 'credit_note') => {
    const isInvoice = table === 'invoice';
    return condition(
      `select '${table}' as kind, ${isInvoice ? 1 : -1} as sign, d.id, ${isInvoice ? 'd.id' : 'd.invoice_id'} as invoice,
         ${isInvoice ? 'null::int' : 'd.id'} as credit_note, c.id as customer, c.name, d.currency, d.taxes, ${countsAt('d')} as at, ${PLACE}
       from ${table} d join customer c on c.account_id = d.account_id and c.id = d.customer_id
       left join invoice i on i.account_id = d.account_id and i.id = ${isInvoice ? 'd.id' : 'd.invoice_id'}
       left join snapshot s on s.account_id = d.account_id and s.id = d.snapshot_id
       where d.account_id = ? and ${countsAt('d')} >= ? and ${countsAt('d')} < ? and ${live('d')} and ${limited.sql}`,
      accountId,
      days.from,
      days.until,
      knownAt,
      knownAt,
      ...limited.values,
    );
  };
  const [invoices, notes] = [part('invoice'), part('credit_note')];
  return condition(`${invoices.sql} union all ${notes.sql}`, ...invoices.values, ...notes.values);
}

/** SQL: tax of the days that the ledger has, by document and rate, credit positive. Tax that a write-off takes back has a kind of its own. */
function taxEntries(asked: Asked): Condition {
  const ofTax = condition("(e.ledger_account = 'tax_payable' or e.ledger_account like 'tax_payable:%')");
  const where = earnedInDays(asked, ofTax);
  const limited = limits(asked, 'e.currency');
  return condition(
    `select case when e.reason in ('write_off', 'reopen') and (i.voided_at is null or i.voided_at > ?) then 'write_off' else 'adjustment' end as kind,
       coalesce(e.invoice_id, n.invoice_id) as invoice, e.credit_note_id as credit_note, c.id as customer, c.name, e.currency, ${EFFECTIVE} as at,
       ${PLACE}, nullif(substring(e.ledger_account from 13), '') as tax_rate, -e.amount as tax
     from ledger_entry e
     left join credit_note n on n.account_id = e.account_id and n.id = e.credit_note_id
     left join invoice i on i.account_id = e.account_id and i.id = coalesce(e.invoice_id, n.invoice_id)
     left join snapshot s on s.account_id = e.account_id and s.id = coalesce(n.snapshot_id, i.snapshot_id)
     join customer c on c.account_id = e.account_id and c.id = coalesce(n.customer_id, i.customer_id)
     where ${where.sql} and ${limited.sql}`,
    asked.knownAt,
    ...where.values,
    ...limited.values,
  );
}

/** SQL: the taxes of a line: its own and, if it is taxable, those of its document, each rate once (`taxesOn`). A tax without a rate is one of its own. */
const TAXES_OF_LINE = `case
    when not l.taxable then l.taxes
    when l.taxes = '[]' and jsonb_array_length(d.taxes) < 2 then d.taxes
    else (select coalesce(jsonb_agg(tax), '[]') from (
      select distinct on (key) tax from (
        select t.tax, coalesce('rate ' || (t.tax ->> 'rateKey'), 'line ' || t.n) as key, 0 as place, t.n from jsonb_array_elements(l.taxes) with ordinality t (tax, n)
        union all
        select t.tax, coalesce('rate ' || (t.tax ->> 'rateKey'), 'tax ' || t.n), 1, t.n from jsonb_array_elements(d.taxes) with ordinality t (tax, n)
      ) each order by key, place, n) once) end`;

/** SQL: the lines of the invoices or credit notes, with the taxes on them. Late fees are no sales. `?`: account. */
const linesOf = (kind: 'invoice' | 'credit_note'): string =>
  `select d.*, l.net, l.taxes as own, ${TAXES_OF_LINE} as all_taxes
   from document d join line_item l on l.account_id = ? and l.${kind}_id = d.id where d.kind = '${kind}' and l.type is distinct from 'late_fee'`;

/** Tax of a rate at a place, and what it is on. Decimal text; of credit notes negative. */
export interface TaxRow {
  period: string | null;
  customer: number | null;
  customerName: string | null;
  invoice: number | null;
  creditNote: number | null;
  date: string | null;
  kind: string;
  treatment: string;
  taxRate: string | null;
  name: string | null;
  percent: string | null;
  behavior: string | null;
  country: string | null;
  state: string | null;
  currency: string;
  base: string;
  tax: string;
}

/**
 * Tax of the days by rate and place, with its base: the net of all lines that the rate taxes. Lines that no rate taxes are `untaxed`. What the
 * ledger has and no document tells is a row of its own, so that the rows of a rate add up to its tax in the ledger.
 */
export function tax(asked: Asked): Statement<TaxRow> {
  const { options, zone } = asked;
  const documents = documentsOf(asked);
  const entries = taxEntries(asked);
  const isByDocument = options.detail === 'document';
  const isByCustomer = isByDocument || options.detail === 'customer';
  const when = (is: boolean, sql: string, type: string) => (is ? sql : `null::${type}`);
  const keys = `${when(options.group !== undefined, periodOf(asked), 'text')} as period, ${when(isByCustomer, 'customer', 'int')} as customer,
    ${when(isByCustomer, 'name', 'text')} as "customerName", ${when(isByDocument, 'invoice', 'int')} as invoice,
    ${when(isByDocument, 'credit_note', 'int')} as "creditNote", ${when(isByDocument, '(at at time zone ?)::date::text', 'text')} as date,
    currency, country, state, kind`;
  const named = 'period, customer, "customerName", invoice, "creditNote", date, currency, country, state, kind';
  const zones = [...(options.group === undefined ? [] : [zone]), ...(isByDocument ? [zone] : [])];
  const where = chosen(options, TAX_KEYS);
  const head = 'kind, invoice, credit_note, customer, name, currency, at, country, state';
  return condition(
    `with document as materialized (${documents.sql}), line as materialized (
       ${(['invoice', 'credit_note'] as const).map(linesOf).join(' union all ')}
     ), part as materialized (
       select ${head}, tax -> 'taxRate' as rate, sign * net as base, 0 as tax from line cross join jsonb_array_elements(all_taxes) tax
       union all
       select ${head}, null, sign * net, 0 from line where all_taxes = '[]'
       union all
       select ${head}, tax -> 'taxRate', 0, sign * (tax ->> 'amount')::numeric from line cross join jsonb_array_elements(own) tax
       union all
       select ${head}, tax -> 'taxRate', 0, sign * (tax ->> 'amount')::numeric from document cross join jsonb_array_elements(taxes) tax
     ), summed as (
       select ${keys}, rate, sum(base) as base, sum(tax) as tax from part group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
     ), entry as (${entries.sql}), rest as (
       select ${keys}, tax_rate, sum(tax) as tax
       from (
         select ${head}, tax_rate, tax from entry
         union all
         select 'adjustment', ${head.replace('kind, ', '')}, rate ->> 'id', -tax from part where tax <> 0
       ) each group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 having sum(tax) <> 0
     ), kept as (
       select ${named}, rate ->> 'id' as tax_rate, rate ->> 'name' as name,
         case when rate is null then 'untaxed' when (rate ->> 'reverse_charge')::boolean then 'reverse_charge' else 'taxed' end as treatment,
         case when (rate ->> 'is_percent')::boolean then trim_scale((rate ->> 'value')::numeric)::text end as percent,
         case (rate ->> 'inclusive')::boolean when true then 'inclusive' when false then 'exclusive' end as tax_behavior, base, tax
       from summed
       union all
       select ${named}, tax_rate, null, 'taxed', null, null, 0, tax from rest
     )
     select period, customer, "customerName", invoice, "creditNote", date, kind, treatment, tax_rate as "taxRate", name, percent,
       tax_behavior as behavior, country, state, currency, sum(base)::text as base, sum(tax)::text as tax
     from kept where ${where.sql} group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 having sum(base) <> 0 or sum(tax) <> 0
     order by period, currency, country, state, treatment desc, tax_rate, name, percent, tax_behavior, kind desc, "customerName", customer, date, invoice,
       "creditNote"`,
    ...documents.values,
    asked.accountId,
    asked.accountId,
    ...zones,
    ...entries.values,
    ...zones,
    ...where.values,
  );
}
