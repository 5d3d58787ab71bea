import { runAttempt } from '../../commands/charges/attempts.ts';
import { isTestToken } from '../../commands/charges/gateways.ts';
import { startVault } from '../../commands/charges/paymentSources.ts';
import { systemCallerOf } from '../../commands/kernel/caller.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { consentText } from '../../present/printed/consent.ts';
import type { Client, TestApi } from './api.ts';

export const VISITOR = { ip: '203.0.113.7', userAgent: 'Mozilla/5.0 (visitor)' };

/** Stores a card with the customer's consent to automatic payment, as a page does it. Returns the text of the consent. */
export async function storeWithConsent(
  api: TestApi,
  { account }: Client,
  customerId: number,
  token = 'tok_5454545454545454',
): Promise<string> {
  const { deps } = api;
  const shown = consentText(account, { language: 'en', method: 'credit_card' });
  const source = {
    caller: systemCallerOf(account),
    customerId,
    method: 'credit_card' as const,
    makeDefault: false,
    sealedToken: deps.cipher.encrypt(token),
    isTestToken: isTestToken(token),
    lookUpDelay: deps.lookUpDelay,
    consent: { ...shown, page: 'update_source' as const, ...VISITOR },
  };
  const { id } = await inTransaction(api.em, (em) => startVault(em, source, deps.systemNow()));
  await withAccount(account.id, () => runAttempt(deps, { accountId: account.id, id }));
  return shown.text;
}
