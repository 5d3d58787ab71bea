import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { PaymentLink } from '../../db/schema/paymentLink.ts';
import type { SignUpPage } from '../../db/schema/signUpPage.ts';
import { paymentLinkUrl, signUpPageUrl } from '../kernel/links.ts';
import { number, orNull, type Presented, unix } from '../kernel/values.ts';

export function presentSignUpPage(page: Plain<SignUpPage>): Presented {
  return {
    id: page.id,
    object: 'sign_up_page',
    name: page.name,
    description: orNull(page.description),
    enabled: page.enabled,
    plans: page.plans,
    addons: page.addons.map(({ plan, item, maxQuantity }) => ({ plan, catalog_item: item, max_quantity: maxQuantity })),
    min_quantity: page.minQuantity,
    max_quantity: page.maxQuantity,
    trial_days: page.trialDays,
    coupons: page.takesCoupons,
    address: page.address,
    ask_tax_id: page.takesTaxId,
    terms_url: orNull(page.termsUrl),
    terms: orNull(page.terms),
    return_urls: page.returnUrls,
    url: signUpPageUrl(page),
    created_at: unix(page.createdAt),
    updated_at: unix(page.updatedAt),
  };
}

export function presentPaymentLink(link: Plain<PaymentLink>): Presented {
  const { amount, minAmount, maxAmount } = link;
  const money = (value: string | null | undefined) => (value ? number(value) : null);
  return {
    id: link.id,
    object: 'payment_link',
    name: link.name,
    description: orNull(link.description),
    enabled: link.enabled,
    currency: link.currency,
    amount: money(amount),
    min_amount: money(minAmount),
    max_amount: money(maxAmount),
    fields: link.fields.map(({ kind, label, required }) => ({ kind, label, required })),
    taxes: link.taxCodes,
    return_urls: link.returnUrls,
    url: paymentLinkUrl(link),
    created_at: unix(link.createdAt),
    updated_at: unix(link.updatedAt),
  };
}
