import { invalid } from './fault.ts';
import { type Params, textIn, textsIn } from './form.ts';

/** A sentence of Stripe's documentation that calls parameters of a request exclusive, required or gone. */
export interface Rule {
  /** Requests, by method and path. */
  of: RegExp;
  /** Where the sentence stands. */
  source: string;
  says: string;
  /** The parameter at fault; null: the request keeps to it. */
  fault(params: Params): string | null;
  code?: string;
}

const INTENTS = /^POST \/v1\/(payment|setup)_intents$/;
const PAYMENTS = /^POST \/v1\/payment_intents\/\w+\/confirm$/;
const SETUPS = /^POST \/v1\/setup_intents\/\w+\/confirm$/;

const changelog = (page: string) => `https://docs.stripe.com/changelog/${page}`;

const BESIDE_ALLOWED = [
  'payment_method_types',
  'excluded_payment_method_types',
  'automatic_payment_methods',
  'payment_method_configuration',
] as const;

/** The server of these tests refuses what breaks one of them, because stripe-mock knows only which parameters there are. */
export const rules: readonly Rule[] = [
  {
    of: INTENTS,
    source: changelog('dahlia/2026-07-29/allowed-payment-method-types-parameter'),
    says: 'allowed_payment_method_types is mutually exclusive with the other parameters for kinds of payment methods',
    fault: (params) =>
      params.allowed_payment_method_types ? (BESIDE_ALLOWED.find((name) => params[name] !== undefined) ?? null) : null,
  },
  {
    of: /^POST \/v1\/(payment|setup)_intents(\/\w+(\/confirm)?)?$/,
    source: changelog(
      'endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents',
    ),
    says: 'payment_method_types cannot be sent any more',
    fault: (params) => (params.payment_method_types ? 'payment_method_types' : null),
    code: 'payment_method_types_no_longer_supported',
  },
  {
    of: PAYMENTS,
    source: changelog('2023-08-16/automatic-payment-methods'),
    says: 'a confirmation cannot have error_on_requires_action, unless the intent has payment_method_types',
    fault: (params) => (params.error_on_requires_action ? 'error_on_requires_action' : null),
  },
  {
    of: PAYMENTS,
    source: changelog('2023-08-16/automatic-payment-methods'),
    says: 'a confirmation of a PaymentIntent needs return_url, unless off_session is true',
    fault: (params) => (params.return_url || params.off_session === 'true' ? null : 'return_url'),
  },
  {
    of: SETUPS,
    source: changelog('2023-08-16/automatic-payment-methods'),
    says: 'a confirmation of a SetupIntent needs return_url',
    fault: (params) => (params.return_url ? null : 'return_url'),
  },
  {
    of: /^POST \/v1\/payment_intents$/,
    source: 'https://docs.stripe.com/api/payment_intents/create#create_payment_intent-statement_descriptor',
    says: 'statement_descriptor is an error for a card',
    fault: (params) =>
      params.statement_descriptor && methodsIn(params).includes('card') ? 'statement_descriptor' : null,
  },
  {
    of: /^POST \/v1\/payment_intents$/,
    source: 'https://docs.stripe.com/get-started/account/statement-descriptors',
    says: 'a statement descriptor has 5 to 22 Latin characters with a letter and without < > \\ \' " *; a suffix fits beside a prefix',
    fault: (params) => DESCRIPTORS.find((name) => isUnfit(textIn(params, name), name)) ?? null,
  },
  {
    of: /^POST /,
    source: 'https://docs.stripe.com/api/metadata',
    says: 'metadata has at most 50 keys of at most 40 characters without brackets, and values of at most 500 characters',
    fault: (params) => (isFitMetadata(textsIn(params, 'metadata')) ? null : 'metadata'),
  },
];

const DESCRIPTORS = ['statement_descriptor', 'statement_descriptor_suffix'] as const;

const methodsIn = (params: Params) => Object.values(textsIn(params, 'allowed_payment_method_types'));

/** The shortest prefix has 2 characters, and `* ` stands behind it; the longest has 10. */
function isUnfit(text: string | null, name: (typeof DESCRIPTORS)[number]): boolean {
  if (text === null) return false;
  const [least, most] = name === 'statement_descriptor' ? [5, 22] : [1, 22 - 10 - 2];
  return text.length < least || text.length > most || !/[a-z]/i.test(text) || /[<>\\'"*]|[^ -~]/.test(text);
}

function isFitMetadata(metadata: Record<string, string>): boolean {
  const all = Object.entries(metadata);
  return all.length <= 50 && all.every(([key, value]) => key.length <= 40 && value.length <= 500);
}

export interface Wanted {
  method: string;
  path: string;
  params: Params;
}

/** The rules that a request breaks. */
export function broken({ method, path, params }: Wanted): Rule[] {
  return rules.filter(({ of, fault }) => of.test(`${method} ${path}`) && fault(params) !== null);
}

/** Refuses a request that breaks a rule. */
export function refuseBroken(request: Wanted): void {
  const [rule] = broken(request);
  if (!rule) return;
  const { says, source, code } = rule;
  throw invalid(`${says} (${source})`, { param: rule.fault(request.params), ...(code ? { code } : {}) });
}
