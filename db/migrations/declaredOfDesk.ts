import { addIndex, type Declared } from './changes.ts';

/** What the migrations for the desk of members do: saved views, search, home. */
export const declaredOfDesk = {
  '0340_saved_views': { creates: 'table saved_view', changes: [], unusedSince: null },
  '0341_document_search': {
    creates: '',
    changes: [addIndex('estimate', 'estimates by their words'), addIndex('credit_note', 'credit notes by their words')],
    unusedSince: null,
  },
  '0342_contact_search': {
    creates: '',
    changes: [addIndex('contact', 'contacts by their words'), addIndex('task', 'tasks by their words')],
    unusedSince: null,
  },
  '0343_catalog_search': {
    creates: '',
    changes: [
      addIndex('coupon', 'coupons by their words'),
      addIndex('item', 'items by their words'),
      addIndex('plan', 'plans by their words'),
      addIndex('payment_link', 'payment links by their words'),
      addIndex('sign_up_page', 'sign-up pages by their words'),
    ],
    unusedSince: null,
  },
  '0344_charge_amount_indexes': {
    creates: '',
    changes: [
      addIndex('charge', 'charges by their amount'),
      addIndex('refund', 'refunds by their amount'),
      addIndex('dispute', 'disputes by their amount'),
    ],
    unusedSince: null,
  },
  '0361_dispute_evidence_index': {
    creates: '',
    changes: [addIndex('dispute', 'disputes by the end of their evidence')],
    unusedSince: null,
  },
  '0345_ledger_money_index': {
    creates: '',
    changes: [addIndex('ledger_entry', 'entries of money by their dates')],
    unusedSince: null,
  },
  '0362_mail_document_index': {
    creates: '',
    changes: [addIndex('email', 'mails by their document')],
    unusedSince: null,
  },
  '0365_promise_index': {
    creates: '',
    changes: [addIndex('invoice', 'invoices whose payment is promised, by its day')],
    unusedSince: null,
  },
  '0370_phone_search': {
    creates: '',
    changes: [
      addIndex('contact', 'contacts by the ends of their telephone numbers'),
      addIndex('customer', 'customers by the ends of their telephone numbers'),
    ],
    unusedSince: null,
  },
  '0374_open_tasks': {
    creates: '',
    changes: [addIndex('task', 'open tasks by their due dates')],
    unusedSince: null,
  },
  '0380_held_and_promised': {
    creates: '',
    changes: [
      addIndex('customer', 'customers by whether they are chased'),
      addIndex('invoice', 'invoices by what became of a promise to pay'),
    ],
    unusedSince: null,
  },
  '0392_trial_end_index': {
    creates: '',
    changes: [addIndex('subscription', 'current subscriptions by the end of their trial')],
    unusedSince: null,
  },
} satisfies Record<string, Declared>;
