import type { Context } from 'koa';
import { z } from 'zod';
import { TEST_GATEWAY } from '../../../billing/mail/providers.ts';
import { parseIban } from '../../../billing/payments/bankDetails.ts';
import { BANK_DIGITS } from '../../../billing/payments/bankForms.ts';
import { sourceMethods } from '../../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { describeToken, type Payable, payableMethods, readOwed } from '../../../commands/charges/payable.ts';
import { createServiceToken } from '../../../commands/charges/serviceTokens.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { bodyReader } from '../../limits/receiving.ts';
import type { Posted } from './visit.ts';

const MOST_BYTES = 4096;

const readBody = bodyReader({
  json: true,
  jsonLimit: MOST_BYTES,
  onError: (_error, ctx) => {
    ctx.set('Connection', 'close');
    throw new Refusal('body_invalid', 'The request could not be read');
  },
});

const digits = (least: number, most: number) => z.string().regex(new RegExp(`^\\d{${least},${most}}$`));
const isIban = (text: string) => parseIban(text) === text;
const body = z.object({
  method: z.enum(sourceMethods),
  gateway_token: z.string().min(1).max(255).optional(),
  number: digits(12, 19).optional(),
  routing_number: digits(BANK_DIGITS.bank.least, BANK_DIGITS.bank.most).optional(),
  account_number: digits(BANK_DIGITS.account.least, BANK_DIGITS.account.most).optional(),
  iban: z.string().refine(isIban).optional(),
});

/**
 * Makes a service token of what the gateway's fields of a pay page took, as `POST /service_tokens` does for pages of others. The fields of
 * the test gateway send the numbers of its documentation. Answers with JSON, and with 400 and the field at fault.
 */
export async function makeToken({ ctx, deps, em, named, document: posted }: Posted): Promise<boolean> {
  const { account, customerId, currency } = posted;
  const { document, owed: amount } = await readOwed(em, named);
  const customer = await em.findOneOrFail(Customer, { accountId: account.id, id: customerId });
  return answerToken(ctx, { ...deps, reading: em }, { account, customer, document, amount, currency });
}

/** Needed to make a token. `reading`: finds the methods that are offered. */
type TokenDeps = Pick<Posted['deps'], 'em' | 'gateways' | 'cipher' | 'systemNow' | 'gatewayDeadline' | 'log'> & {
  reading: EntityManager;
};

/** The same for the fields of another page, on which the methods for `payable` are offered. */
export async function answerToken(ctx: Context, deps: TokenDeps, payable: Payable): Promise<true> {
  try {
    ctx.body = { id: await tokenOf(deps, payable, await entered(ctx)) };
    ctx.status = 201;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.body = { code: error.code, message: error.message, param: error.param };
    ctx.status = 400;
  }
  return true;
}

type Entered = z.output<typeof body>;

async function entered(ctx: Context): Promise<Entered> {
  if (ctx.is('application/json') === false) throw new Refusal('content_type_unsupported', 'The request must be JSON');
  const read = body.safeParse(await readBody(ctx));
  if (read.success) return read.data;
  throw new Refusal(
    'parameter_invalid',
    'A field is missing or malformed',
    String(read.error.issues[0]?.path[0] ?? 'method'),
  );
}

async function tokenOf(deps: TokenDeps, payable: Payable, sent: Entered): Promise<string> {
  const { account, currency } = payable;
  const { method } = sent;
  const offers = await payableMethods(deps.reading, payable);
  const configuration = offers.find(({ terms }) => terms.method === method)?.configuration;
  if (!configuration) throw new Refusal('parameter_invalid', 'The method is not offered', 'method');
  const token = configuration === TEST_GATEWAY ? testToken(sent) : sent.gateway_token;
  if (token === undefined) throw new Refusal('parameter_missing', 'The token is missing', 'gateway_token');
  const asked = { accountId: account.id, gateway: configuration, token };
  const described = await withoutPlace(() => describeToken(deps, asked));
  if (!described && configuration === TEST_GATEWAY)
    throw new Refusal(
      'parameter_invalid',
      'The test gateway does not know it',
      method === 'ach' ? (sent.iban ? 'iban' : 'account_number') : 'number',
    );
  const made = { account, cipher: deps.cipher, method, token, configuration, currency, described };
  return (await inTransaction(deps.em, (inner) => createServiceToken(inner, made, deps.systemNow()))).secret;
}

function testToken({ method, number, iban, routing_number: routing, account_number: account }: Entered) {
  if (method === 'credit_card') return number && `tok_${number}`;
  if (iban) return `tok_${iban}`;
  return routing && account && `tok_${routing}_${account}`;
}
