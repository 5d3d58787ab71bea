/**
 * SQL: the row of `attempt_invoice` for the last attempt to charge an invoice. Takes SQL expressions for account and invoice. Materialized,
 * because PostgreSQL would otherwise read all attempts of the account from the latest one until it meets this invoice.
 */
export const lastAttemptOf = (accountId: string, invoiceId: string): string =>
  `with charged as materialized (
     select a.* from attempt_invoice a where a.account_id = ${accountId} and a.invoice_id = ${invoiceId})
   select * from charged order by id desc limit 1`;
