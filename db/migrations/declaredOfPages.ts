import { addChecks, addColumn, addIndex, addReference, type Declared, validateChecks } from './changes.ts';

/** Effects of the migrations of pages on which strangers buy. */
export const declaredOfPages = {
  '0320_sign_up_pages': {
    creates: 'tables payment_link, sign_up_page, sign_up, link_payment',
    changes: [
      addColumn('customer', 'sign_up_page_id'),
      addChecks('customer', 'sign_up_page'),
      addReference('customer', 'sign_up'),
      addReference('subscription', 'sign_up'),
      addReference('invoice', 'sign_up'),
      addReference('attempt', 'sign_up'),
      addReference('customer', 'link_payment'),
      addReference('invoice', 'link_payment'),
      addReference('attempt', 'link_payment'),
    ],
    unusedSince: null,
    harmlessChecks: {
      customer_account_id_sign_up_page_id_foreign: 'customers of the version before name no sign-up page',
    },
  },
  '0321_sign_up_page_references': {
    creates: '',
    changes: [
      validateChecks('customer'),
      { table: 'sign_up_page', does: 'look its rows up', lock: 'ROW SHARE', work: 'catalog' },
    ],
    unusedSince: null,
  },
  '0322_sign_up_page_indexes': {
    creates: '',
    changes: [addIndex('customer', 'customers by sign-up page')],
    unusedSince: null,
  },
  '0323_hidden_outcomes': {
    creates: '',
    changes: [addColumn('sign_up', 'is_hidden'), addColumn('link_payment', 'is_hidden')],
    unusedSince: null,
  },
  '0324_sign_ups_not_done': {
    creates: '',
    changes: [addIndex('sign_up', 'sign-ups of a page that are not done')],
    unusedSince: null,
  },
} satisfies Record<string, Declared>;
