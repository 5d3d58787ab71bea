// Mounts the fields of a gateway in a page, and makes service tokens of what is entered. Runs in browsers, without dependencies. script.ts
// puts it before the fields of gateways, and gives it `words`, the words of the fields by language.

const script = document.currentScript;
const origin = script ? new URL(script.src, location.href).origin : location.origin;

/** What mounts the fields of each gateway. */
const gateways = {};

/** An error that a page can show: `message` in the language of the page, `param`: the field at fault. */
class FieldError extends Error {
  constructor(message, param = null) {
    super(message);
    this.name = 'FieldError';
    this.param = param;
  }
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** The words of the fields. Pages of Perennial give those of their language. */
function wordsOf({ locale, words: given }) {
  const language = String(locale || document.documentElement.lang || 'en')
    .slice(0, 2)
    .toLowerCase();
  return { language, text: given || words[language] || words.en };
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

/** Mounts fields in an element. See docs/payments.md for the options. */
async function mount(target, options) {
  const place = typeof target === 'string' ? document.querySelector(target) : target;
  if (!place) throw new Error('Perennial.mount: there is no such element');
  const { language, text } = wordsOf(options);
  const send = options.send || connection(options); // the dashboard sends with its session
  const method = options.method || 'credit_card';
  const wanted = new URLSearchParams({ method });
  if (options.currency) wanted.set('currency', options.currency);
  if (options.merchantAccount) wanted.set('merchant_account', options.merchantAccount);
  const mounted = options.fields || (await send('GET', `/payment_fields?${wanted}`));
  const { currency } = mounted;
  const isOwnPage = Boolean(options.tokensUrl);
  const shared = { method, currency, language, mounted, options, text, send, isOwnPage };
  const shown = await gateways[mounted.gateway](place, shared);
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

window.Perennial = Object.freeze({ mount, FieldError });
