import { daysBetween, localDay } from '../../billing/time/calendar.ts';
import type { Owed } from '../../db/queries/customers/statement.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Contact } from '../../db/schema/contact.ts';
import type { CreditBalanceAdjustment } from '../../db/schema/creditBalanceAdjustment.ts';
import type { Customer, PaymentSource } from '../../db/schema/customer.ts';
import type { CustomerBalance } from '../../db/schema/customerBalance.ts';
import { presentTaxRate } from '../catalog/products.ts';
import { customerSignUpUrl, portalUrl, statementUrl } from '../kernel/links.ts';
import { number, orNull, type Presented, sumNumber, unix, unixOrNull } from '../kernel/values.ts';
import { presentPaymentSource } from '../payments/paymentSource.ts';

/** Presents a customer with loaded tax rates and default payment source. */
export function presentWholeCustomer(customer: Customer): Presented {
  return presentCustomer(customer, customer.defaultSource ?? null);
}

/** A customer. Its tax rates must be set; without them `taxes` is empty. `defaultSource`: null if it has none. */
export function presentCustomer(customer: Plain<Customer>, defaultSource: Plain<PaymentSource> | null): Presented {
  return {
    id: customer.id,
    object: 'customer',
    name: customer.name,
    number: customer.number,
    active: customer.active,
    email: orNull(customer.email),
    autopay: customer.autopay,
    autopay_delay_days: customer.autopayDelayDays,
    autopay_fallback: customer.autopayFallback,
    payment_terms: orNull(customer.paymentTerms),
    payment_source: defaultSource ? presentPaymentSource(defaultSource) : null,
    attention_to: orNull(customer.attentionTo),
    address1: orNull(customer.address1),
    address2: orNull(customer.address2),
    city: orNull(customer.city),
    state: orNull(customer.state),
    postal_code: orNull(customer.postalCode),
    country: orNull(customer.country),
    language: orNull(customer.language),
    currency: orNull(customer.currency),
    ...chasingOf(customer),
    ...papersOf(customer),
    phone: orNull(customer.phone),
    credit_hold: customer.creditHold,
    ...holdOf(customer),
    credit_limit: customer.creditLimit ? number(customer.creditLimit) : null,
    owner: orNull(customer.ownerId),
    taxable: customer.taxable,
    taxes: (customer.taxRates ?? []).map(presentTaxRate),
    tax_id: orNull(customer.taxId),
    taxengine_entity_use_code: orNull(customer.taxengineEntityUseCode),
    taxengine_exemption_number: orNull(customer.taxengineExemptionNumber),
    type: customer.type,
    parent_customer: customer.parent?.id ?? null,
    merged_into: customer.mergedInto?.id ?? null,
    test_clock: customer.testClock?.id ?? null,
    notes: orNull(customer.notes),
    sign_up_page: customer.signUpPage?.id ?? null,
    sign_up_url: customer.signUpPage && !customer.anonymizedAt ? customerSignUpUrl(customer) : null,
    portal_url: customer.anonymizedAt ? null : portalUrl(customer.accountId),
    statement_pdf_url: customer.anonymizedAt ? null : statementUrl(customer),
    ach_gateway: customer.bankMerchantAccount?.id ?? null,
    cc_gateway: customer.cardMerchantAccount?.id ?? null,
    bill_to_parent: customer.billToParent,
    consolidated: customer.consolidated,
    disabled_payment_methods: customer.disabledPaymentMethods,
    created_at: unix(customer.createdAt),
    updated_at: unix(customer.updatedAt),
    metadata: customer.metadata,
  };
}

function holdOf({ heldAt, heldById, holdReason }: Plain<Customer>): Presented {
  return {
    credit_hold_since: unixOrNull(heldAt),
    credit_hold_by: orNull(heldById),
    credit_hold_reason: orNull(holdReason),
  };
}

function papersOf({ theme, pdfTemplates, statementDay, emailNewInvoices }: Plain<Customer>): Presented {
  return {
    theme: theme?.id ?? null,
    pdf_templates: pdfTemplates,
    statement_day: orNull(statementDay),
    email_new_invoices: orNull(emailNewInvoices),
  };
}

function chasingOf({ chase, chasingCadence, nextChaseStepId }: Plain<Customer>): Presented {
  return { chase, chasing_cadence: chasingCadence?.id ?? null, next_chase_step: orNull(nextChaseStepId) };
}

export function presentContact(contact: Plain<Contact>): Presented {
  return {
    id: contact.id,
    object: 'contact',
    name: contact.name,
    title: orNull(contact.title),
    email: orNull(contact.email),
    phone: orNull(contact.phone),
    primary: contact.isPrimary,
    sms_enabled: contact.smsEnabled,
    portal_role: orNull(contact.portalRole),
    department: orNull(contact.department),
    address1: orNull(contact.address1),
    address2: orNull(contact.address2),
    city: orNull(contact.city),
    state: orNull(contact.state),
    postal_code: orNull(contact.postalCode),
    country: orNull(contact.country),
    created_at: unix(contact.createdAt),
    updated_at: unix(contact.updatedAt),
  };
}

/** Credits of a customer in one currency, as decimal text. `history`: the credit balance after each change, latest first. */
export interface Credits {
  currency: string;
  /** All in which it owes or has something. */
  currencies: readonly string[];
  availableCredits: string;
  /** Money of payments that is not applied. */
  unapplied: string;
  history: readonly { balance: string; at: Date }[];
}

export function presentBalance(
  owed: Owed,
  { currency, currencies, availableCredits, unapplied, history }: Credits,
): Presented {
  return {
    currency,
    currencies: [...currencies],
    total_outstanding: sumNumber(owed.outstanding),
    due_now: sumNumber(owed.dueNow),
    past_due: owed.pastDue,
    available_credits: sumNumber(availableCredits),
    unapplied_payments: sumNumber(unapplied),
    history: history.map(({ balance, at }) => ({ balance: number(balance), currency, timestamp: unix(at) })),
  };
}

/** What a customer owes in one currency. `now`: the time of the customer. */
export function presentOwed(
  { currency, balance, overdue, oldestDueAt }: Plain<CustomerBalance>,
  { now, zone }: { now: Date; zone: string },
): Presented {
  const days = oldestDueAt ? daysBetween(localDay(Number(oldestDueAt), zone), localDay(Number(now), zone)) : 0;
  return {
    currency,
    balance: number(balance),
    overdue: number(overdue),
    oldest_due_date: oldestDueAt ? unix(oldestDueAt) : null,
    days_overdue: Math.max(days, 0),
  };
}

export function presentCreditBalanceAdjustment(adjustment: Plain<CreditBalanceAdjustment>): Presented {
  return {
    id: adjustment.id,
    object: 'credit_balance_adjustment',
    customer: adjustment.customer.id,
    currency: adjustment.currency,
    amount: number(adjustment.amount),
    date: unix(adjustment.date),
    notes: orNull(adjustment.notes),
    credit_note: adjustment.creditNoteId ?? null,
    refund: adjustment.refundId ?? null,
    created_at: unix(adjustment.createdAt),
    updated_at: unix(adjustment.updatedAt),
  };
}
