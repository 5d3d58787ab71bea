/** Types of general ledger accounts, as accounting software has them. */
export const glAccountTypes = ['asset', 'liability', 'equity', 'income', 'expense'] as const;
export type GlAccountType = (typeof glAccountTypes)[number];

/**
 * Names of ledger accounts that map to general ledger accounts. An account whose name continues after a colon, such as `clearing:stripe`, has
 * the one of the name before it, unless its code, rate or payment method names another.
 */
export const mappedAccounts = [
  'receivable',
  'cash',
  'clearing',
  'unapplied',
  'customer_credits',
  'customer_credits:notes',
  'customer_credits:deposits',
  'forfeited_credits',
  'credit_adjustments',
  'revenue',
  'tax_payable',
  'fee_income',
  'bad_debt',
  'refunds',
  'disputes',
  'gateway_fees',
] as const;
export type MappedAccount = (typeof mappedAccounts)[number];

/** Codes of general ledger accounts by ledger account. */
export type GlMapping = Partial<Record<MappedAccount, string>>;
