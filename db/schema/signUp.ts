import { defineEntity, p } from '@mikro-orm/core';
import type { DeclineKind } from '../../billing/payments/declines.ts';
import type { SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { PresentPayer } from '../../billing/payments/presentPayer.ts';
import { type SignUpState, signUpStates } from '../../billing/signUps/signUp.ts';
import type { Choice } from '../../billing/signUps/terms.ts';
import type { Interruption } from '../../billing/wait.ts';
import { policiesThrough } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';
import { SignUpPage } from './signUpPage.ts';
import { Subscription } from './subscription.ts';

/** What a visitor of a sign-up page enters about itself. Null: not asked for, or left empty. */
export interface SignUpDetails {
  name: string;
  email: string;
  address1: string | null;
  address2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string | null;
  taxId: string | null;
}

/** A text that a visitor accepted, as it was shown. */
export interface AcceptedText {
  text: string;
  language: string;
}

const SignUpSchema = defineEntity({
  name: 'SignUp',
  policies: policiesThrough('sign_up', 'customer'),
  comment: 'A visitor who subscribes on a sign-up page: the stored payment source first, then the customer',
  properties: {
    ...tenantKey,
    page: () => p.manyToOne(SignUpPage).joinColumns('account_id', 'page_id').deleteRule('restrict'),
    state: p.string().length(9).$type<SignUpState>(),
    /** Identifies the form; the database refuses a second sign-up with it. */
    key: p.uuid(),
    /** The customer, once it exists; from the start, if the link of an existing one was used. */
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').nullable().deleteRule('cascade'),
    /** The id that the customer has or will have. */
    customerKey: p.integer(),
    subscription: () =>
      p.manyToOne(Subscription).joinColumns('account_id', 'subscription_id').nullable().deleteRule('cascade'),
    /** The first invoice, while it has to be paid; null: there is nothing to pay. */
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('cascade'),
    /** The charge of the first invoice with the stored source. */
    charge: () => p.manyToOne(Attempt).joinColumns('account_id', 'charge_id').nullable().deleteRule('cascade'),
    /** Null: forgotten, because nothing else was kept. */
    details: p.json().$type<SignUpDetails>().nullable(),
    choice: p.json().$type<Choice>(),
    /** Hash of the price that was shown. */
    seen: p.string().length(64),
    language: p.string().length(2),
    ip: p.string().length(64).nullable(),
    userAgent: p.string().length(500).nullable(),
    /** Consent to automatic payment. */
    consent: p.json().$type<AcceptedText>(),
    /** The accepted terms; null: the page has none. */
    terms: p.json().$type<AcceptedText>().nullable(),
    acceptedAt: p.datetime(),
    /** Hash of the address whose trial this is, until the trial has ended. */
    trialKey: p.string().length(64).nullable(),
    returnUrl: p.string().length(2048).nullable(),
    method: p.string().length(12).$type<SourceMethod>(),
    gateway: p.string().length(32),
    sealedToken: p.text().nullable(),
    /** The gateway's reference of the operation that stores the source. */
    reference: p.string().length(255).nullable(),
    sentAt: p.datetime().nullable(),
    payer: p.json().$type<PresentPayer>().nullable(),
    sealedChallenge: p.text().nullable(),
    /** The gateway's id of a stored source that no customer has, until it is deleted there. */
    storedReference: p.string().length(255).nullable(),
    failureCode: p.string().length(64).nullable(),
    declineKind: p.string().length(14).$type<DeclineKind>().nullable(),
    interruption: p.string().length(16).$type<Interruption>().nullable(),
    /** Whether the page of its outcome leads nowhere, because something that it leads to got a new address. */
    isHidden: p.boolean().default(false),
    /** The field because of which it was refused. */
    refusedParam: p.string().length(64).nullable(),
    startedAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'sign_up_key', properties: ['key'] }],
  indexes: [
    {
      name: 'sign_up_trial',
      expression:
        'create unique index "sign_up_trial" on "sign_up" ("account_id", "trial_key") where trial_key is not null',
    },
    partialIndex('sign_up', 'sign_up_by_customer', ['account_id, customer_id, id', 'customer_id is not null']),
    partialIndex('sign_up', 'sign_up_by_invoice', ['account_id, invoice_id', 'invoice_id is not null']),
    partialIndex('sign_up', 'sign_up_by_subscription', ['account_id, subscription_id', 'subscription_id is not null']),
    partialIndex('sign_up', 'sign_up_by_charge', ['account_id, charge_id', 'charge_id is not null']),
    { name: 'sign_up_by_page', properties: ['accountId', 'page', 'startedAt'] },
    partialIndex('sign_up', 'sign_up_not_done', ['account_id, page_id, started_at', "state <> 'done'"]),
  ],
  checks: [
    oneOf('sign_up', 'state', signUpStates),
    { name: 'sign_up_waiting', expression: "(state = 'waiting') = (sealed_challenge is not null)" },
    {
      name: 'sign_up_kept',
      expression:
        "(state in ('charging', 'done', 'given_up')) = (subscription_id is not null) and (state <> 'charging' or invoice_id is not null)",
    },
  ],
});
export class SignUp extends SignUpSchema.class {}
SignUpSchema.setClass(SignUp);
