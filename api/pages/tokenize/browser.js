// Mounts the fields of a gateway in a page, and makes service tokens of what is entered. Runs in browsers, without dependencies. script.ts
// wraps this text in a function that has `words`, the words of the fields by language, and `stripeDecimals`, by lower-case currency.

const script = document.currentScript;
const origin = script ? new URL(script.src, location.href).origin : location.origin;
const stripeUrl = 'https://js.stripe.com/endive/stripe.js';
let count = 0;

/** An error that a page can show: `message` in the language of the page, `param`: the field at fault. */
class FieldError extends Error {
  constructor(message, param = null) {
    super(message);
    this.name = 'FieldError';
    this.param = param;
  }
}

function wordsOf(locale) {
  const language = String(locale || document.documentElement.lang || 'en')
    .slice(0, 2)
    .toLowerCase();
  return { language, text: words[language] || words.en };
}

/** Sends requests: with a publishable key to the API, or as a page of Perennial to its own address. */
function connection(options) {
  const key = options.publishableKey;
  const base = `${origin}${/^pk_test_/.test(key || '') ? '/sandbox' : ''}/api`;
  const headers = key ? { Authorization: `Basic ${btoa(`${key}:`)}` } : {};
  return async (method, path, body) => {
    const answer = await fetch(options.tokensUrl ? options.tokensUrl : `${base}${path}`, {
      method,
      mode: options.tokensUrl ? 'same-origin' : 'cors',
      credentials: options.tokensUrl ? 'same-origin' : 'omit', // a page of a session proves it by its cookie
      headers: body ? { ...headers, 'Content-Type': 'application/json' } : headers,
      body: body ? JSON.stringify(body) : undefined,
    });
    const read = await answer.json();
    if (answer.ok) return read;
    throw Object.assign(new Error(read.message), { param: read.param, status: answer.status });
  };
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A field of the test gateway. It has no name, so that no form sends it. */
function field({ id, label, autocomplete, maxlength, pattern }) {
  count += 1;
  const unique = `perennial-${count}`;
  const input = element('input', {
    id: unique,
    type: 'text',
    inputmode: 'numeric',
    dir: 'ltr',
    autocomplete,
    maxlength,
    spellcheck: 'false',
    'data-field': id,
    'aria-required': 'true',
    'aria-describedby': `${unique}-error`,
  });
  const error = element('p', { id: `${unique}-error`, class: 'error', role: 'alert' });
  const row = element('div', { class: 'field' }, element('label', { for: unique }, label), input, error);
  return { id, row, input, error, pattern };
}

function testFields(method, text) {
  const listed =
    method === 'ach'
      ? [
          { id: 'routing_number', label: text.routingNumber, maxlength: 12, pattern: /^\d{9}$/ },
          { id: 'account_number', label: text.accountNumber, maxlength: 24, pattern: /^\d{4,17}$/ },
        ]
      : [
          { id: 'number', label: text.cardNumber, maxlength: 24, pattern: /^\d{12,19}$/, autocomplete: 'cc-number' },
          {
            id: 'expiry',
            label: text.expiry,
            maxlength: 7,
            pattern: /^(0?[1-9]|1[0-2])\d\d$/,
            autocomplete: 'cc-exp',
          },
          { id: 'cvc', label: text.securityCode, maxlength: 4, pattern: /^\d{3,4}$/, autocomplete: 'cc-csc' },
        ];
  return listed.map((one) => field({ autocomplete: 'off', ...one }));
}

const bare = ({ input }) => input.value.replace(/[\s/-]/g, '');

/** Shows an error at a field, and moves the focus there. */
function complain(one, message) {
  one.error.textContent = message;
  one.input.setAttribute('aria-invalid', 'true');
  one.input.focus();
  return new FieldError(message, one.id);
}

function checkFields(fields, text) {
  for (const one of fields) {
    one.error.textContent = '';
    one.input.removeAttribute('aria-invalid');
  }
  const wrong = fields.filter((one) => !one.pattern.test(bare(one)));
  for (const one of wrong.toReversed()) complain(one, text.check);
  if (wrong.length > 0) throw new FieldError(text.check, wrong[0].id);
}

function testNumbers(fields) {
  const numbers = Object.fromEntries(fields.map((one) => [one.id, bare(one)]));
  const { expiry, ...rest } = numbers;
  return expiry ? { ...rest, exp_month: Number(expiry.slice(0, -2)), exp_year: 2000 + Number(expiry.slice(-2)) } : rest;
}

/** The fields of the test gateway of the sandbox. */
function mountTest(target, { method, text, send, isOwnPage }) {
  const fields = testFields(method, text);
  const legend = element('legend', {}, method === 'ach' ? text.bankAccount : text.card);
  const group = element('fieldset', { class: 'perennial-fields' }, legend, ...fields.map(({ row }) => row));
  target.append(group);
  return {
    remove: () => group.remove(),
    async token() {
      checkFields(fields, text);
      const numbers = testNumbers(fields);
      try {
        if (isOwnPage) return numbers;
        const { gateway_token } = await send('POST', '/test_gateway/tokens', numbers);
        return { gateway_token };
      } catch (error) {
        const one = fields.find(({ id }) => id === error.param);
        throw one ? complain(one, text.refused) : error;
      }
    },
    refuse(param) {
      return complain(fields.find(({ id }) => id === param) || fields[0], text.refused);
    },
  };
}

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

/** Stripe's Payment Element. What is entered goes to Stripe only. */
async function mountStripe(target, { method, currency, language, mounted, options, text }) {
  const stripe = (await loadStripe())(mounted.publishable_key, { locale: language });
  const type = method !== 'ach' ? 'card' : currency === 'eur' ? 'sepa_debit' : 'us_bank_account';
  const elements = stripe.elements({ ...purposeOf(options, currency), currency, allowedPaymentMethodTypes: [type] });
  const place = element('div', { class: 'perennial-fields' });
  const alert = element('p', { class: 'error', role: 'alert' });
  target.append(place, alert);
  const payment = elements.create('payment');
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
}

/** Mounts fields in an element. See docs/payments.md for the options. */
async function mount(target, options) {
  const place = typeof target === 'string' ? document.querySelector(target) : target;
  if (!place) throw new Error('Perennial.mount: there is no such element');
  const { language, text } = wordsOf(options.locale);
  const send = connection(options);
  const method = options.method || 'credit_card';
  const wanted = new URLSearchParams({ method });
  if (options.currency) wanted.set('currency', options.currency);
  if (options.merchantAccount) wanted.set('merchant_account', options.merchantAccount);
  const mounted = options.fields || (await send('GET', `/payment_fields?${wanted}`));
  const { currency } = mounted;
  const isOwnPage = Boolean(options.tokensUrl);
  const shared = { method, currency, language, mounted, options, text, send, isOwnPage };
  const shown = await (mounted.gateway === 'test' ? mountTest(place, shared) : mountStripe(place, shared));
  const merchant = mounted.merchant_account ? { merchant_account: mounted.merchant_account } : {};
  return {
    unmount: shown.remove,
    /** Makes a service token. `chosen`: an `amount` and `save` that replace the options. Throws an error whose message can be shown. */
    async tokenize(chosen = {}) {
      const entered = await shown.token(chosen).catch((error) => {
        throw error instanceof FieldError ? error : new FieldError(text.failed);
      });
      try {
        return await send('POST', '/service_tokens', { method, currency, ...merchant, ...entered });
      } catch (error) {
        throw error.status === 400 ? shown.refuse(error.param) : new FieldError(text.failed);
      }
    },
  };
}

/**
 * Keeps what is typed into a form while its reader looks at another payment method or pays once more. Entered numbers are no fields with a
 * name, and are not kept. The text stays in the tab.
 */
function keepTyped(form) {
  const place = `perennial ${location.pathname}`;
  const fields = [...form.elements].filter((one) => one.name && ['text', 'email'].includes(one.type));
  let kept = {};
  try {
    kept = JSON.parse(sessionStorage.getItem(place)) || {};
    sessionStorage.removeItem(place);
  } catch {} // a browser can forbid storage
  for (const one of fields) {
    const { initial, typed } = kept[one.name] || {};
    if (typeof typed === 'string' && initial === one.defaultValue && one.value === initial) one.value = typed;
  }
  const keep = () => {
    const typed = fields.map((one) => [one.name, { initial: one.defaultValue, typed: one.value }]);
    try {
      sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(typed)));
    } catch {} // full or forbidden
  };
  window.addEventListener('pagehide', keep);
}

/** The amount that a form pays now, and whether its card will be stored. A malformed amount is left to the server. */
function chosenIn({ elements }) {
  const sent = (name) => elements.namedItem(name)?.value ?? '';
  const choice = sent('choice');
  const amount = (choice === '' || choice === 'other' ? sent('amount') : choice).replace(',', '.');
  return { ...(Number(amount) > 0 ? { amount } : {}), save: Boolean(elements.namedItem('consent')?.checked) };
}

/** Mounts fields in a form of a page of Perennial. Its submission waits for the service token. */
async function mountForm(place) {
  const form = place.closest('form');
  keepTyped(form);
  const hidden = form.elements.namedItem('service_token');
  const alert = element('p', { class: 'error', role: 'alert' });
  place.after(alert);
  const options = JSON.parse(place.dataset.perennial);
  const { text } = wordsOf(options.locale);
  const fields = await mount(place, options).catch(() => {
    alert.textContent = text.failed;
    return null;
  });
  let isBusy = false;
  form.addEventListener('submit', async (event) => {
    if (hidden.value !== '' || !fields) return;
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    alert.textContent = '';
    try {
      hidden.value = (await fields.tokenize(chosenIn(form))).id;
      form.requestSubmit(event.submitter);
    } catch (error) {
      if (!error.param) alert.textContent = error.message;
    } finally {
      isBusy = false;
    }
  });
}

window.Perennial = Object.freeze({ mount, FieldError });
const start = () => document.querySelectorAll('[data-perennial]').forEach((place) => void mountForm(place));
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
