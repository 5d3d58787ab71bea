import type { Part, ShownKind } from '../../framework/kind.ts';
import { shownRelation } from '../../reading/expand.ts';
import { charge } from '../charges/shape.ts';
import { creditNotes } from '../creditNotes/resource.ts';
import { customers } from '../customers/resource.ts';
import { estimates } from '../estimates/resource.ts';
import { invoices } from '../invoices/resource.ts';
import { paymentApplication } from './shape.ts';

const ofCharge: ShownKind = { shape: charge, relations: { customer: shownRelation(() => customers, 'customer') } };

const ofApplication: ShownKind = {
  shape: paymentApplication,
  relations: {
    invoice: shownRelation(() => invoices, 'invoice'),
    estimate: shownRelation(() => estimates, 'estimate'),
    credit_note: shownRelation(() => creditNotes, 'credit_note'),
  },
};

/** Nested objects of a payment: its charge and its applications. */
export const parts: Readonly<Record<string, Part>> = {
  charge: { to: () => ofCharge },
  applied_to: { to: () => ofApplication },
};
