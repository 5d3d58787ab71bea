import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { tenantKey } from './columns.ts';
import { Customer } from './customer.ts';

/** Page on which a customer agreed. */
export type ConsentPage = 'pay' | 'update_source' | 'portal' | 'sign_up';

const PaymentConsentSchema = defineEntity({
  name: 'PaymentConsent',
  policies: policiesThrough('payment_consent', 'customer'),
  comment: 'A consent of a customer to automatic payment, as evidence: the text that was shown, when, and to whom',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    /** The operation that stores the payment source, alone or with a charge. Its source is the one that may be charged. */
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').deleteRule('restrict'),
    /** The text as it was shown. */
    text: p.text(),
    /** Language of the text. */
    language: p.string().length(2),
    page: p.string().length(32).$type<ConsentPage>(),
    /** The address that was signed in to the portal, in lower case; null: nobody was, or it is erased. */
    email: p.string().length(255).nullable(),
    /** IP address of the visitor; null: erased. */
    ip: p.string().length(64).nullable(),
    userAgent: p.string().length(500).nullable(),
    /** The customer's time. */
    givenAt: p.datetime(),
    /** Real time. */
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'payment_consent_attempt', properties: ['accountId', 'attempt'] }],
  indexes: [{ name: 'payment_consent_by_customer', properties: ['accountId', 'customer', 'id'] }],
});
export class PaymentConsent extends PaymentConsentSchema.class {}
PaymentConsentSchema.setClass(PaymentConsent);
