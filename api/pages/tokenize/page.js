// What the pages of Perennial add to the fields: what is typed is kept, the amount is on the button, values can be copied. Runs in browsers,
// without dependencies. script.ts puts it last.

/**
 * Keeps what is typed into a form while its reader looks at another payment method or pays once more. Entered numbers are no fields with a
 * name, and are not kept. The text stays in the tab.
 */
function keepTyped(form) {
  const place = `perennial ${form.action}`;
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
  const amount = (choice === '' || choice === 'other' ? sent('amount') : choice).trim().replace(',', '.');
  return {
    ...(Number(amount) > 0 ? { amount } : {}),
    save: Boolean(elements.namedItem('consent')?.checked),
  };
}

/** Writes the amount that a form pays now on its button; while none is entered, that it is open. The form says which amount that is. */
function showAmount(form) {
  const { label, locale, currency, digits } = JSON.parse(form.dataset.pay);
  const money = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const button = form.querySelector('.primary');
  const shown = form.elements.namedItem('shown_amount');
  const show = () => {
    const { amount } = chosenIn(form);
    if (amount ? Number(amount) === Number(shown.value) : shown.value === '') return;
    shown.value = amount ?? '';
    button.textContent = filled(label, { amount: amount ? money.format(amount) : '\u2026' });
  };
  form.addEventListener('input', show);
  window.addEventListener('pageshow', show);
  show();
}

/** Mounts fields in a form of a page of Perennial. Its submission waits for the service token. */
async function mountForm(place) {
  const form = place.closest('form');
  const hidden = form.elements.namedItem('service_token');
  const alert = element('p', { class: 'error', role: 'alert' });
  place.after(alert);
  const options = JSON.parse(place.dataset.perennial);
  const { failed } = options.words;
  const fields = await Perennial.mount(place, options).catch(() => {
    alert.textContent = failed;
    return null;
  });
  let isBusy = false;
  form.addEventListener('submit', async (event) => {
    if (hidden.value !== '' || !fields) return;
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    form.classList.add('busy');
    alert.textContent = '';
    try {
      hidden.value = (await fields.tokenize(chosenIn(form))).id;
      form.requestSubmit(event.submitter);
    } catch (error) {
      form.classList.remove('busy');
      if (!error.param) alert.textContent = error.message;
    } finally {
      isBusy = false;
    }
  });
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    hidden.value = '';
    form.classList.remove('busy');
  });
}

/** Shows the buttons that copy a value, where the browser lets a page copy. */
function offerCopy(button) {
  if (!navigator.clipboard) return;
  const { copy, copied } = button.dataset;
  const [text] = button.childNodes;
  const label = text.data;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(copy);
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling); // forbidden: its reader copies the value
      return;
    }
    text.data = copied;
    setTimeout(() => {
      text.data = label;
    }, 2000);
  });
}

function start() {
  const each = (found, work) => document.querySelectorAll(found).forEach((one) => void work(one));
  each('form.pay, form.source', keepTyped);
  each('form[data-pay]', showAmount);
  each('[data-perennial]', mountForm);
  each('[data-copy]', offerCopy);
}
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
