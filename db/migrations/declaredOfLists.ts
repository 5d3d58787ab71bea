import { addIndex, addReference, type Declared, readRows } from './changes.ts';

/** Effects of the migrations by which lists sort and filter by amounts and balances. */
export const declaredOfLists = {
  '0330_customer_balances': {
    creates: 'table customer_balance',
    changes: [addReference('customer', 'customer_balance')],
    unusedSince: null,
  },
  '0331_invoice_amount_indexes': {
    creates: '',
    changes: [addIndex('invoice', 'invoices by total, by balance, open ones by due date')],
    unusedSince: null,
  },
  '0332_customer_balance_triggers': {
    creates: '',
    changes: [
      {
        table: 'invoice',
        does: 'keep balances of customers by triggers',
        lock: 'SHARE ROW EXCLUSIVE',
        work: 'catalog',
      },
    ],
    unusedSince: null,
  },
  '0333_document_amount_indexes': {
    creates: '',
    changes: [addIndex('estimate', 'estimates by total'), addIndex('credit_note', 'credit notes by total, by balance')],
    unusedSince: null,
  },
  '0334_payment_amount_indexes': {
    creates: '',
    changes: [addIndex('payment', 'payments by amount, by balance')],
    unusedSince: null,
  },
  '0335_subscription_revenue_index': {
    creates: '',
    changes: [addIndex('subscription', 'current subscriptions by revenue')],
    unusedSince: null,
  },
  '0336_customer_balance_rows': {
    creates: '',
    changes: [
      readRows('invoice', 'sum open invoices'),
      { table: 'customer', does: 'look its rows up', lock: 'ROW SHARE', work: 'scan' },
      {
        table: 'customer_balance',
        does: 'add the balances of existing customers',
        lock: 'ROW EXCLUSIVE',
        work: 'update',
      },
    ],
    unusedSince: null,
  },
} satisfies Record<string, Declared>;
