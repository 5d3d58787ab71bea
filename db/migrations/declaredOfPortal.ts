import { addColumn, addIndex, addReference, type Declared, updateRows } from './changes.ts';

/** Effects of the migrations of the portal of customers. */
export const declaredOfPortal = {
  '0300_portal': {
    creates: 'tables portal_session, portal_link',
    changes: [
      addColumn('contact', 'portal_role'),
      addColumn('payment_consent', 'email'),
      addReference('customer', 'portal_session'),
      addReference('customer', 'portal_link'),
    ],
    unusedSince: null,
  },
  '0301_portal_contacts': {
    creates: '',
    changes: [updateRows('contact', 'let primary contacts from before pay in the portal')],
    unusedSince: null,
  },
  '0302_portal_indexes': {
    creates: '',
    changes: [
      addIndex('customer', 'customers by their address'),
      addIndex('contact', 'contacts of the portal by their address'),
    ],
    unusedSince: null,
  },
} satisfies Record<string, Declared>;
