// The fields of the test gateway: they group what is typed, name the brand of a card, and say at each field what is wrong with it. Runs in
// browsers, without dependencies. script.ts puts it after browser.js, and gives it `bankForms`, the form of bank accounts by currency.

let count = 0;

/** Brands of cards by the first digits: lengths, groups, and digits of the security code. */
const brands = [
  { name: 'American Express', first: /^3[47]/, lengths: [15], groups: [4, 6, 5], code: 4 },
  { name: 'Diners Club', first: /^3[0689]/, lengths: [14, 16, 19], groups: [4, 6, 4], code: 3 },
  { name: 'Mastercard', first: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16], code: 3 },
  { name: 'Discover', first: /^6(011|4[4-9]|5)/, lengths: [16, 19], code: 3 },
  { name: 'JCB', first: /^35/, lengths: [16, 19], code: 3 },
  { name: 'UnionPay', first: /^62/, lengths: [16, 17, 18, 19], code: 3 },
  { name: 'Visa', first: /^4/, lengths: [13, 16, 19], code: 3 },
];
const brandOf = (digits) => brands.find(({ first }) => first.test(digits)) ?? { name: '', lengths: null, code: null };

/** Splits a text into groups; the last size repeats. */
function grouped(text, sizes, sign = ' ') {
  const [size, ...others] = sizes;
  const rest = text.slice(size);
  if (rest === '') return text;
  return text.slice(0, size) + sign + grouped(rest, others.length > 0 ? others : sizes, sign);
}

const sumOf = (digits, weigh) => [...digits].reduce((sum, digit, index) => sum + weigh(Number(digit), index), 0);

/** Whether the check digit of a card number is right. */
function isCardNumber(digits) {
  const weigh = (digit, index) => {
    const value = (digits.length - index) % 2 === 0 ? digit * 2 : digit;
    return value > 9 ? value - 9 : value;
  };
  return sumOf(digits, weigh) % 10 === 0;
}

const isRoutingNumber = (digits) => sumOf(digits, (digit, index) => digit * [3, 7, 1][index % 3]) % 10 === 0;

function isIban(text) {
  const turned = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) => parseInt(letter, 36));
  return (
    /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) &&
    [...turned].reduce((rest, digit) => (rest * 10 + +digit) % 97, 0) === 1
  );
}

/** Month and year of an expiry that was typed as digits; null: it is none. */
function expiryIn(digits) {
  const [, month, year] = /^(0[1-9]|1[0-2])(?:20)?(\d\d)$/.exec(digits) ?? [];
  return month ? { month: Number(month), year: 2000 + Number(year) } : null;
}

/** What a number with a fixed or bounded count of digits lacks. */
const lengthFault =
  (text, [least, most = least]) =>
  (bare) =>
    bare.length >= least && bare.length <= most
      ? ''
      : filled(least === most ? text.digits : text.between, { digits: least, least, most });

function cardFields(text) {
  let code = null;
  const number = {
    id: 'number',
    label: text.cardNumber,
    maxlength: 24,
    autocomplete: 'cc-number',
    most: 19,
    show: (bare) => grouped(bare, brandOf(bare).groups ?? [4]),
    mark: (bare) => {
      code = brandOf(bare).code;
      return brandOf(bare).name;
    },
    fault: (bare) => {
      const { lengths } = brandOf(bare);
      if (lengths ? !lengths.includes(bare.length) : bare.length < 12) return text.short;
      return isCardNumber(bare) ? '' : text.typo;
    },
  };
  const expiry = {
    id: 'expiry',
    label: text.expiry,
    maxlength: 7,
    autocomplete: 'cc-exp',
    most: 6,
    show: (bare, typed) => {
      const digits = /^[2-9]/.test(bare) || /^\d\s*\//.test(typed) ? `0${bare}` : bare;
      return digits.length > 2 || /\/\s*$/.test(typed) ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
    },
    fault: (bare) => {
      const end = expiryIn(bare);
      if (!end) return text.month;
      return new Date(end.year, end.month) > new Date() ? '' : text.expired;
    },
  };
  const cvc = {
    id: 'cvc',
    label: text.securityCode,
    maxlength: 4,
    autocomplete: 'cc-csc',
    most: 4,
    fault: (bare) => lengthFault(text, code ? [code] : [3, 4])(bare),
  };
  return [number, expiry, cvc];
}

/** How the number of a bank is written, by the form of its currency. */
const banks = {
  routing: { label: 'routingNumber', lengths: [9], sizes: [9], account: [4, 17], isRight: isRoutingNumber },
  sort: { label: 'sortCode', lengths: [6], sizes: [2], sign: '-', account: [8] },
  bsb: { label: 'bsb', lengths: [6], sizes: [3], sign: '-', account: [4, 9] },
  transit: { label: 'transit', lengths: [8], sizes: [5, 3], sign: '-', account: [7, 12] },
  code: { label: 'bankCode', lengths: [3, 12], sizes: [12], account: [4, 17] },
};

function bankFields(currency, text) {
  const form = bankForms[currency] ?? 'code';
  if (form === 'iban')
    return [
      {
        id: 'iban',
        label: 'IBAN',
        maxlength: 42,
        letters: true,
        most: 34,
        show: (bare) => grouped(bare, [4]),
        fault: (bare) => (isIban(bare) ? '' : bare.length < 15 ? text.short : text.typo),
      },
    ];
  const { label, lengths, sizes, sign, account, isRight } = banks[form];
  const [, most = lengths[0]] = lengths;
  return [
    {
      id: 'routing_number',
      label: text[label],
      maxlength: most + 4,
      most,
      show: (bare) => grouped(bare, sizes, sign),
      fault: (bare) => lengthFault(text, lengths)(bare) || (!isRight || isRight(bare) ? '' : text.typo),
    },
    { id: 'account_number', label: text.accountNumber, maxlength: 24, most: 17, fault: lengthFault(text, account) },
  ];
}

/** What was typed without its groups, with digits of any script. */
function bareOf({ input, letters, most }) {
  const latin = input.value
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => digit.charCodeAt(0) & 15)
    .toUpperCase();
  return latin.replace(letters ? /[^A-Z0-9]/g : /\D/g, '').slice(0, most);
}

/** Groups what is typed, and keeps the place of the caret among the characters that are not spaces or signs. */
function group(one) {
  const { input, show } = one;
  const kept = /[\p{L}\p{N}]/gu;
  const before = (input.value.slice(0, input.selectionStart ?? 0).match(kept) ?? []).length;
  const length = (input.value.match(kept) ?? []).length;
  const shown = show ? show(bareOf(one), input.value) : bareOf(one);
  if (shown === input.value) return;
  const isAtEnd = before === length;
  input.value = shown;
  let at = 0;
  for (let left = before; left > 0 && at < shown.length; at += 1) if (shown[at].match(kept)) left -= 1;
  if (isAtEnd) at = shown.length;
  if (document.activeElement === input) input.setSelectionRange(at, at);
}

/** A field of the test gateway. It has no name, so that no form sends it. */
function field({ id, label, autocomplete = 'off', maxlength, letters, ...rules }, text) {
  count += 1;
  const unique = `perennial-${count}`;
  const input = element('input', {
    id: unique,
    type: 'text',
    inputmode: letters ? 'text' : 'numeric',
    dir: 'ltr',
    autocomplete,
    maxlength,
    spellcheck: 'false',
    autocapitalize: letters ? 'characters' : 'off',
    'data-field': id,
    'aria-required': 'true',
    'aria-describedby': `${unique}-error`,
  });
  const error = element('p', { id: `${unique}-error`, class: 'error', role: 'alert' });
  const mark = element('span', { class: 'brand', 'aria-live': 'polite' });
  const held = element('div', { class: 'held' }, input, ...(rules.mark ? [mark] : []));
  const row = element('div', { class: 'field' }, element('label', { for: unique }, label), held, error);
  const one = { id, row, input, error, letters, ...rules };
  one.wrong = () => (bareOf(one) === '' ? text.empty : rules.fault(bareOf(one)));
  const show = () => {
    group(one);
    tell(one, '');
    if (rules.mark) mark.textContent = rules.mark(bareOf(one));
  };
  // A keyboard that composes characters would lose those that it works on.
  input.addEventListener('input', ({ isComposing }) => isComposing || show());
  input.addEventListener('compositionend', show);
  // Not when a button is pressed: it would move away from the pointer.
  input.addEventListener('blur', ({ relatedTarget }) => {
    if (input.value !== '' && relatedTarget?.matches('input')) tell(one, one.wrong());
  });
  return one;
}

/** Says at a field what is wrong with it; empty: nothing. */
function tell({ error, input }, message) {
  error.textContent = message;
  if (message) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

/** Shows an error at a field, and moves the focus there. */
function complain(one, message) {
  tell(one, message);
  one.input.focus();
  return new FieldError(message, one.id);
}

/** Says at every field what is wrong with it. Throws the error of the first one. */
function checkFields(fields) {
  for (const one of fields) tell(one, one.wrong());
  const first = fields.find(({ error }) => error.textContent !== '');
  if (first) throw complain(first, first.error.textContent);
}

/** The fields of the test gateway of the sandbox. */
gateways.test = (target, { method, currency, text, send, isOwnPage }) => {
  const rules = method === 'ach' ? bankFields(currency, text) : cardFields(text);
  const fields = rules.map((one) => field(one, text));
  const legend = element('legend', {}, method === 'ach' ? text.bankAccount : text.card);
  const all = element('fieldset', { class: 'perennial-fields' }, legend, ...fields.map(({ row }) => row));
  target.append(all);
  const numbers = () => {
    const { expiry, ...rest } = Object.fromEntries(fields.map((one) => [one.id, bareOf(one)]));
    const end = expiry && expiryIn(expiry);
    return end ? { ...rest, exp_month: end.month, exp_year: end.year } : rest;
  };
  return {
    remove: () => all.remove(),
    async token() {
      checkFields(fields);
      try {
        if (isOwnPage) return numbers();
        const { gateway_token } = await send('POST', '/test_gateway/tokens', numbers());
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
};
