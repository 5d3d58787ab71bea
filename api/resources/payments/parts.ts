import type { Part, PresentedKind } from '../../framework/kind.ts';
import { presentedRelation } from '../../reading/expand.ts';
import { charge } from '../charges/shape.ts';
import { creditNotes } from '../creditNotes/resource.ts';
import { customers } from '../customers/resource.ts';
import { estimates } from '../estimates/resource.ts';
import { invoices } from '../invoices/resource.ts';
import { paymentApplication } from './shape.ts';

const ofCharge: PresentedKind = {
  shape: charge,
  relations: { customer: presentedRelation(() => customers, 'customer') },
};

export const ofApplication: PresentedKind = {
  shape: paymentApplication,
  relations: {
    invoice: presentedRelation(() => invoices, 'invoice'),
    estimate: presentedRelation(() => estimates, 'estimate'),
    credit_note: presentedRelation(() => creditNotes, 'credit_note'),
  },
};

/** Nested objects of a payment: its charge and its applications. */
export const parts: Readonly<Record<string, Part>> = {
  charge: { to: () => ofCharge },
  applied_to: { to: () => ofApplication },
};
