-- Invoices that became past due before the upgrade: a schedule that comes later does not apply to them.
update "invoice" set "late_fees_planned" = true
where "past_due" and "issued_at" is not null and not "paid" and not "closed" and "status" <> 'voided' and not "late_fees_planned";
