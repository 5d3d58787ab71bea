import { openStripe, type StripeAccess } from '../../../adapters/gateways/stripe/client.ts';
import { createStripeGateway } from '../../../adapters/gateways/stripe/gateway.ts';
import { stepsOf } from './liveSteps.ts';
import { keptCustomers } from './started.ts';

const HELP = `Usage: STRIPE_SECRET_KEY=sk_test_… npm run stripe:live-test

Charges, stores, verifies, refunds and deletes test cards and test bank accounts at Stripe itself, with a test key of yours. No money moves. Live keys are refused.
The developers of this version had no key: nobody has run this test for it. Please tell them what it prints.`;

const PERMISSION = /^(sk|rk)_test_\w+$/;

type Print = (line: string) => void;

/** Runs the test with the key of the environment. Returns the exit code. */
export async function run(environment: NodeJS.ProcessEnv, print: Print): Promise<number> {
  const secretKey = environment.STRIPE_SECRET_KEY ?? '';
  if (!PERMISSION.test(secretKey)) {
    if (secretKey) print('STRIPE_SECRET_KEY is not a test key of Stripe: it has to begin with sk_test_ or rk_test_.\n');
    print(HELP);
    return 1;
  }
  return liveTest({ secretKey }, print);
}

/** Takes the steps in order, and prints each with Stripe's answer. Returns the exit code: 1 at the first other answer than wanted. */
export async function liveTest(access: StripeAccess, print: Print): Promise<number> {
  print(`${HELP.split('\n').slice(-1)[0]}\n`);
  const gateway = createStripeGateway({
    home: 'https://billing.example',
    ...access,
    webhookSecret: 'whsec_unused',
    deployment: 'live-test',
    customers: keptCustomers(),
  });
  for (const { does, wants, answers } of stepsOf(gateway, openStripe(access))) {
    const answer = await answers().catch(
      (error: unknown) => `error: ${error instanceof Error ? error.message : error}`,
    );
    print(`${answer === wants ? 'ok  ' : 'FAIL'} ${does}: ${answer}${answer === wants ? '' : `, wanted ${wants}`}`);
    if (answer !== wants) return 1;
  }
  print('\nStripe answered as the adapter expects.');
  return 0;
}
