const invoiceSteps = 'a customer has a planned step while an invoice on a cadence has a step left after its due date';
const ofInvoices = 'subject_id in (select customer_id from invoice where chasing_cadence_id is not null)';

const lateFee = 'a late fee is what its terms give of the principal, up to the cap';

/** Changes of late fees, reminders, scheduled statements and planned steps that the audit has to report. */
export const collectionDrifts = [
  { check: lateFee, drift: 'update late_fee set principal = principal + 1' },
  { check: lateFee, drift: 'update late_fee set cap = 0.5' },
  {
    check: 'a reminder has its mail, its text or its task',
    drift: `insert into reminder (account_id, customer_id, day, channel, cadence_id, step_id, created_at)
      select account_id, customer_id, current_date, 'email', 1, 1, now() from chase`,
  },
  {
    check: 'an invoice that was mailed at its issue has its mail',
    drift: 'update invoice set issue_mailed_at = issued_at where issued_at is not null',
  },
  {
    check: 'a task asks for invoices of its customer',
    drift: `insert into task_invoice (account_id, task_id, invoice_id)
      select t.account_id, t.id, i.id from task t join invoice i on i.account_id = t.account_id and i.customer_id <> t.customer_id`,
  },
  {
    check: 'a scheduled statement has its mail or its task',
    drift: `insert into scheduled_statement (account_id, customer_id, currency, month, type, ends_at, closing_balance, created_at)
      select account_id, customer_id, 'usd', '2027-03', 'open_item', now(), 1, now() from chase`,
  },
  {
    check: 'a customer with a day for its statement has a planned one',
    drift: "update customer set statement_day = '5' where id in (select customer_id from chase)",
  },
  {
    check: 'an account whose team gets a digest has a planned one',
    drift: `update account set settings = settings || '{"alert_recipients": ["team@example.com"]}'`,
  },
  {
    check: 'a customer with steps left has a planned one while it owes something that is past due',
    drift: "delete from wakeup where process = 'chasing'",
    also: [invoiceSteps],
  },
  { check: invoiceSteps, drift: `delete from wakeup where process = 'chasing' and ${ofInvoices}` },
];
