// The fields of Stripe. Runs in browsers, without dependencies but Stripe's own script. script.ts puts it after browser.js, and gives it
// `stripeDecimals`, the decimals of amounts by lower-case currency.

const stripeUrl = 'https://js.stripe.com/endive/stripe.js';

function loadStripe() {
  if (window.Stripe) return Promise.resolve(window.Stripe);
  return new Promise((resolve, reject) => {
    const loaded = element('script', { src: stripeUrl });
    loaded.onload = () => resolve(window.Stripe);
    loaded.onerror = () => reject(new Error('js.stripe.com was not loaded'));
    document.head.append(loaded);
  });
}

/** An amount in Stripe's units of a lower-case currency. */
function unitsOf(amount, currency) {
  return Math.round(Number(amount) * 10 ** (stripeDecimals[currency] ?? 2));
}

/** The purpose of Stripe's fields. Stripe refuses a payment by a token of fields that store a card, and the other way round. */
function purposeOf({ amount, save }, currency) {
  if (!amount) return { mode: 'setup' };
  return { mode: 'payment', amount: unitsOf(amount, currency), setupFutureUsage: save ? 'off_session' : null };
}

/** Stripe's Payment Element, with the wallets that it offers. What is entered goes to Stripe only. */
gateways.stripe = async (target, { method, currency, language, mounted, options, text }) => {
  const stripe = (await loadStripe())(mounted.publishable_key, { locale: language });
  const type = method !== 'ach' ? 'card' : currency === 'eur' ? 'sepa_debit' : 'us_bank_account';
  const elements = stripe.elements({ ...purposeOf(options, currency), currency, allowedPaymentMethodTypes: [type] });
  const place = element('div', { class: 'perennial-fields' });
  const alert = element('p', { class: 'error', role: 'alert' });
  target.append(place, alert);
  const payment = elements.create('payment', { wallets: { applePay: 'auto', googlePay: 'auto' } });
  payment.mount(place);
  const refuse = (message) => {
    alert.textContent = message || text.refused;
    return new FieldError(alert.textContent);
  };
  return {
    remove() {
      payment.destroy();
      place.remove();
      alert.remove();
    },
    async token(chosen) {
      alert.textContent = '';
      if (options.amount) elements.update(purposeOf({ ...options, ...chosen }, currency));
      const checked = await elements.submit();
      if (checked.error) throw refuse(checked.error.message);
      const made = await stripe.createConfirmationToken({ elements, params: { return_url: location.href } });
      if (made.error) throw refuse(made.error.message);
      return { gateway_token: made.confirmationToken.id };
    },
    refuse: () => refuse(text.refused),
  };
};
