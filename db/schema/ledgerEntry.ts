import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { amount, longTenantKey } from './columns.ts';
import { partialIndex } from './indexes.ts';

const balanced = `create or replace function ledger_entry_balanced() returns trigger as $$
begin
  if exists (select 1 from posted group by account_id, posting, currency having sum(amount) <> 0) then
    raise exception 'ledger posting does not sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end; $$ language plpgsql;
create trigger "ledger_entry_balanced" after insert on "ledger_entry" referencing new table as posted
  for each statement execute function ledger_entry_balanced();`;

/** Waits for a closing of the books that has begun (`lockBooks`), which waits for entries that are not committed yet. */
const openFrom = `perform pg_advisory_xact_lock_shared(hashtextextended('books', new.account_id));
  select books_open_from into new.open_from from account where id = new.account_id;
  return new`;

/** SQL: condition of the entries of cash and of the gateways. */
const OF_MONEY = "ledger_account = 'cash' or ledger_account like 'clearing:%'";

const LedgerEntrySchema = defineEntity({
  name: 'LedgerEntry',
  policies: policiesThrough('ledger_entry', 'customer', 'invoice', 'payment', 'credit_note'),
  comment: 'Double entry, append-only; debit positive, credit negative; a posting sums to zero per currency',
  properties: {
    ...longTenantKey,
    /** Shared by all entries of one posting. */
    posting: p.uuid(),
    /** Ledger account: receivable, revenue, cash, clearing:<gateway>, unapplied, customer_credits, bad_debt, … */
    ledgerAccount: p.string().length(300),
    currency: p.string().length(3),
    amount: amount(),
    /** Reason: issue, receipt, application, void, … */
    reason: p.string().length(32),
    customerId: p.integer().nullable(),
    invoiceId: p.integer().nullable(),
    paymentId: p.integer().nullable(),
    creditNoteId: p.integer().nullable(),
    /** The refund that no gateway sent. */
    refundId: p.integer().nullable(),
    /** Date of the document. `postedAt` is the time of the entry. */
    documentAt: p.datetime(),
    postedAt: p.datetime(),
    /** Start of the first day of the books that was open when it was posted: it counts there at the earliest. Null: no month was closed. */
    openFrom: p.datetime().nullable(),
  },
  indexes: [
    { name: 'ledger_entry_by_invoice', properties: ['accountId', 'invoiceId'] },
    { name: 'ledger_entry_by_payment', properties: ['accountId', 'paymentId'] },
    partialIndex('ledger_entry', 'ledger_entry_of_customer', [
      'account_id, customer_id',
      'invoice_id is null and payment_id is null',
    ]),
    // Changes of invoices while months were closed: the books need them to know what an entry was before.
    partialIndex('ledger_entry', 'ledger_entry_late', [
      'account_id, invoice_id',
      "open_from is not null and reason in ('void', 'delete', 'change')",
    ]),
    partialIndex('ledger_entry', 'ledger_entry_of_money', ['account_id, document_at', OF_MONEY]),
    { name: 'ledger_entry_by_account', properties: ['accountId', 'ledgerAccount', 'currency', 'id'] },
  ],
  triggers: [
    { name: 'ledger_entry_open_from', timing: 'before', events: ['insert'], forEach: 'row', body: openFrom },
    { name: 'ledger_entry_balanced', timing: 'after', events: ['insert'], forEach: 'statement', expression: balanced },
    {
      name: 'ledger_entry_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'statement',
      body: "raise exception 'ledger entries are append-only' using errcode = 'check_violation'",
    },
  ],
});
export class LedgerEntry extends LedgerEntrySchema.class {}
LedgerEntrySchema.setClass(LedgerEntry);
