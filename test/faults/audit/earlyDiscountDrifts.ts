/** Changes of early-payment discounts that the audit has to report. */
export const earlyDiscountDrifts = [
  {
    check: 'line amount of a credit note is what rounding leaves of the lines of its invoice',
    drift: `update line_item set unit_cost = 9.99 where credit_note_id in (select id from credit_note where invoice_id is not null)`,
  },
  {
    check: 'an early-payment discount is its percentage of what the discounts before it left',
    drift: `update invoice set discounts = jsonb_set(discounts, '{0,percent}', '"3"') where number = 'EARLY-2'`,
  },
  {
    check: 'an early-payment discount that ended is on no invoice that was not paid in time',
    drift: `update payment set date = date + interval '30 days'
      where customer_id = (select customer_id from invoice where number = 'EARLY-2')`,
  },
  {
    check: 'a credit note that grants an early-payment discount leaves nothing of what was owed in time',
    drift: `update credit_note set early_discount_until = early_discount_until - interval '30 days' where early_discount_until is not null`,
  },
];
