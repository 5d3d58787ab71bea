import type { Plain } from '../db/queries/plain.ts';
import type { Customer } from '../db/schema/customer.ts';
import type { PaymentSource } from '../db/schema/paymentSource.ts';
import { presentPaymentSource } from './paymentSource.ts';
import { orNull, type Presented, unix } from './values.ts';

/** A customer with its default payment source; pass null when it has none. */
export function presentCustomer(customer: Plain<Customer>, defaultSource: Plain<PaymentSource> | null): Presented {
  return {
    id: customer.id,
    object: 'customer',
    name: customer.name,
    number: customer.number,
    email: orNull(customer.email),
    autopay: customer.autopay,
    autopay_delay_days: customer.autopayDelayDays,
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
    chase: true,
    chasing_cadence: null,
    next_chase_step: null,
    phone: orNull(customer.phone),
    credit_hold: false,
    credit_limit: null,
    owner: null,
    taxable: true,
    taxes: [],
    tax_id: orNull(customer.taxId),
    taxengine_entity_use_code: null,
    taxengine_exemption_number: null,
    type: customer.type,
    parent_customer: null,
    test_clock: customer.testClock?.id ?? null,
    notes: orNull(customer.notes),
    sign_up_page: null,
    sign_up_url: null,
    statement_pdf_url: null,
    ach_gateway: null,
    cc_gateway: null,
    bill_to_parent: false,
    consolidated: false,
    disabled_payment_methods: [],
    created_at: unix(customer.createdAt),
    updated_at: unix(customer.updatedAt),
    metadata: customer.metadata,
  };
}
