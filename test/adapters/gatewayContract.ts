import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '../../billing/refusal.ts';
import type { Gateway, GatewayMessage, GatewayOperation, GatewayPage } from '../../commands/ports/ports.ts';

/** A gateway to test, and what its tests need to know about it. */
export interface GatewayUnderTest {
  gateway: Gateway;
  /** The same gateway, as in another process. */
  elsewhere: Gateway;
  /** Tokens by what happens to them. */
  tokens: { pays: string; declined: string; disputed: string; challenged: string };
  /** An account of the gateway. */
  accountId: number;
  /** The customer's time of the operations, epoch milliseconds. */
  at: number;
  /** Number of times that a charge took money, by the gateway's own record. */
  captures(reference: string): Promise<number>;
  /** Answers the challenge of a payer. Throws if none is open. */
  authenticate(reference: string, isPassed: boolean): Promise<void>;
  /** A message of the gateway as it is signed and sent, at a time and for an account. */
  message(
    event: { id: string; type: string; reference: string },
    how?: { sentAt?: Date; account?: number },
  ): GatewayMessage;
  /** Types of events: one about an operation, and one that says nothing about any. */
  types: { known: string; unknown: string };
  close(): Promise<void>;
}

type Charge = Extract<GatewayOperation, { kind: 'charge' }>;

const never = new AbortController().signal;

/** Tests that every gateway passes: the promises of the interface `Gateway`, on which no money is lost or taken twice. */
export function gatewayContract(start: () => Promise<GatewayUnderTest>): void {
  let under: GatewayUnderTest;
  beforeAll(async () => {
    under = await start();
  });
  afterAll(() => under.close());

  const owner = () => ({ key: randomUUID(), accountId: under.accountId, customerId: 70 });
  const charge = (more: Partial<Charge> = {}): GatewayOperation => {
    const instrument = { token: under.tokens.pays };
    const details = { amount: '12.50', currency: 'usd', instrument, vault: false, description: 'INV-00001' };
    return { ...owner(), kind: 'charge', ...details, ...more };
  };
  const prepared = async (operation: GatewayOperation) =>
    (await under.gateway.prepare(operation, under.at, never)).reference;
  const confirm = (reference: string, at = under.gateway) => at.confirm(reference, under.at, never);
  const look = (reference: string) => under.gateway.look(reference, under.at, never);
  const charged = async (more: Partial<Charge> = {}) => {
    const reference = await prepared(charge(more));
    return { reference, outcome: await confirm(reference) };
  };
  const refund = async (reference: string, amount: string) =>
    confirm(await prepared({ ...owner(), kind: 'refund', reference, amount, currency: 'usd' }));

  test('preparing moves no money, and a second call with the same key returns the same reference', async () => {
    const operation = charge();
    const reference = await prepared(operation);
    expect(await prepared(operation)).toBe(reference);
    expect(await look(reference)).toEqual({ status: 'unconfirmed' });
    expect(await under.captures(reference)).toBe(0);
  });

  test('a reference that the gateway does not know is not found', async () => {
    expect(await look('pi_unheard_of')).toEqual({ status: 'not_found' });
  });

  test('twenty simultaneous confirms from two processes take the money once and get the same answer', async () => {
    const racers = Array.from({ length: 20 }, (_, index) => (index % 2 ? under.gateway : under.elsewhere));
    // Several rounds: in the first one the calls do not race because connections have to be opened.
    for (let round = 0; round < 5; round += 1) {
      const reference = await prepared(charge({ vault: true }));
      const outcomes = await Promise.all(racers.map((racer) => confirm(reference, racer)));
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      expect(await look(reference)).toEqual(outcomes[0]);
      expect(await under.captures(reference)).toBe(1);
    }
  });

  test('a decline has its kind, code and message, takes no money, and stays a decline', async () => {
    const { reference, outcome } = await charged({ instrument: { token: under.tokens.declined } });
    expect(outcome).toMatchObject({ status: 'failed', kind: expect.stringMatching(/^(soft|hard|needs_customer)$/) });
    expect(outcome).toMatchObject({ code: expect.stringMatching(/./), message: expect.stringMatching(/./) });
    expect(await look(reference)).toEqual(outcome);
    expect(await under.captures(reference)).toBe(0);
  });

  test('an operation that was abandoned can no longer happen; one that happened cannot be abandoned', async () => {
    const reference = await prepared(charge());
    expect(await under.gateway.abandon(reference, never)).toBe(true);
    expect(await under.gateway.abandon(reference, never)).toBe(true);
    expect(await confirm(reference)).toMatchObject({ status: 'abandoned' });
    expect(await look(reference)).toMatchObject({ status: 'abandoned' });
    expect(await under.captures(reference)).toBe(0);
    const made = await charged();
    expect(await under.gateway.abandon(made.reference, never)).toBe(false);
    expect(await look(made.reference)).toMatchObject({ status: 'succeeded' });
  });

  test('when a confirm and an abandon race, exactly one takes effect', async () => {
    for (let round = 0; round < 20; round += 1) {
      const reference = await prepared(charge());
      const abandon = () => under.elsewhere.abandon(reference, never);
      const earlier = round % 2 ? abandon() : null;
      const confirming = confirm(reference);
      const [outcome, abandoned] = await Promise.all([confirming, earlier ?? abandon()]);
      expect(abandoned).toBe(outcome.status === 'abandoned');
      expect(await under.captures(reference)).toBe(abandoned ? 0 : 1);
    }
  });

  const payer = { returnUrl: 'https://billing.example/back', ip: '192.0.2.7', userAgent: 'Mozilla/5.0' };
  const challenge = (reference: string) => under.gateway.challenge?.(reference, under.at, never);
  const asked = (how: { payer?: typeof payer } = { payer }) =>
    charged({ instrument: { token: under.tokens.challenged }, ...how });

  test('a payer who is there authenticates on a page, and only then pays, once', async () => {
    const { reference, outcome } = await asked();
    expect(outcome).toMatchObject({ status: 'pending' });
    expect(await challenge(reference)).toMatch(/^https:\/\//);
    expect(await confirm(reference, under.elsewhere)).toEqual(outcome);
    expect(await look(reference)).toEqual(outcome);
    expect(await under.captures(reference)).toBe(0);
    await under.authenticate(reference, true);
    expect(await look(reference)).toMatchObject({ status: 'succeeded' });
    expect(await challenge(reference)).toBeNull();
    expect(await under.captures(reference)).toBe(1);
    await expect(under.authenticate(reference, false)).rejects.toThrow();
    expect(await under.gateway.abandon(reference, never)).toBe(false);
  });

  test('a payer who fails the challenge has not paid and can be asked again; nobody is asked who is not there', async () => {
    const { reference } = await asked();
    await under.authenticate(reference, false);
    expect(await look(reference)).toMatchObject({ status: 'failed', kind: 'needs_customer' });
    expect(await challenge(reference)).toBeNull();
    const absent = await asked({});
    expect(absent.outcome).toMatchObject({ status: 'failed', kind: 'needs_customer' });
    expect(await challenge(absent.reference)).toBeNull();
    for (const declined of [reference, absent.reference]) expect(await under.captures(declined)).toBe(0);
    expect(await challenge((await charged({ payer })).reference)).toBeNull();
  });

  test('a charge that waits for its payer and is abandoned can no longer be authenticated', async () => {
    const { reference } = await asked();
    expect(await under.gateway.abandon(reference, never)).toBe(true);
    expect(await under.gateway.abandon(reference, never)).toBe(true);
    await expect(under.authenticate(reference, true)).rejects.toThrow();
    expect(await look(reference)).toEqual({ status: 'abandoned' });
    expect(await challenge(reference)).toBeNull();
    expect(await under.captures(reference)).toBe(0);
  });

  test('a charge that waits for its payer is abandoned or paid, never both, and is not listed before', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { reference } = await asked();
      const since = new Date(Date.now() - 600_000);
      const page = await under.gateway.list?.({ since, until: new Date('9999-01-01'), after: null }, never);
      expect(page?.records.map((one) => one.reference)).not.toContain(reference);
      const abandon = () => under.elsewhere.abandon(reference, never);
      const earlier = round % 2 ? abandon() : null;
      const authenticating = under.authenticate(reference, true).then(
        () => true,
        () => false,
      );
      const [isPassed, isAbandoned] = await Promise.all([authenticating, earlier ?? abandon()]);
      expect(isPassed).toBe(!isAbandoned);
      expect(await look(reference)).toMatchObject({ status: isPassed ? 'succeeded' : 'abandoned' });
      expect(await under.captures(reference)).toBe(isPassed ? 1 : 0);
    }
  });

  test('a source whose owner has to authenticate is stored once that is done', async () => {
    const vault = { ...owner(), kind: 'vault', method: 'credit_card', payer } as const;
    const reference = await prepared({ ...vault, instrument: { token: under.tokens.challenged } });
    expect(await confirm(reference)).toMatchObject({ status: 'pending' });
    expect(await challenge(reference)).toMatch(/^https:\/\//);
    await under.authenticate(reference, true);
    expect(await look(reference)).toMatchObject({ status: 'succeeded', source: { type: 'card' } });
    const other = await prepared({ ...vault, key: randomUUID(), instrument: { token: under.tokens.challenged } });
    await confirm(other);
    await under.authenticate(other, false);
    expect(await look(other)).toMatchObject({ status: 'failed', kind: 'needs_customer' });
  });

  test('a stored source pays without its token, until it is deleted', async () => {
    const vault = {
      ...owner(),
      kind: 'vault',
      instrument: { token: under.tokens.pays },
      method: 'credit_card',
    } as const;
    const outcome = await confirm(await prepared(vault));
    if (outcome.status !== 'succeeded' || !outcome.source) throw new Error('the source was not stored');
    const { reference, last4, type } = outcome.source;
    expect(last4).toMatch(/^\d{4}$/);
    expect((await charged({ instrument: { reference } })).outcome).toMatchObject({
      status: 'succeeded',
      source: { last4 },
    });
    const deletion = { ...owner(), kind: 'delete_source', reference, sourceType: type } as const;
    expect(await confirm(await prepared(deletion))).toMatchObject({ status: 'succeeded' });
    expect((await charged({ instrument: { reference } })).outcome).toMatchObject({ status: 'failed', kind: 'hard' });
  });

  test('racing refunds never exceed their charge', async () => {
    const { reference } = await charged();
    expect(await refund(reference, '10.00')).toMatchObject({ status: 'succeeded' });
    const racing = await Promise.all(['2.50', '2.50'].map((amount) => refund(reference, amount)));
    expect(racing.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded']); // 10.00 + 2.50 is the charge
  });

  test('the list shows charges and refunds that moved money, and no others', async () => {
    const { reference } = await charged();
    await refund(reference, '2.50');
    const others = [
      await prepared(charge()),
      (await charged({ instrument: { token: under.tokens.declined } })).reference,
    ];
    const since = new Date(Date.now() - 600_000);
    const records = [];
    for (let after: string | null | undefined = null; after !== undefined; ) {
      const page: GatewayPage | undefined = await under.gateway.list?.(
        { since, until: new Date('9999-01-01'), after },
        never,
      );
      records.push(...(page?.records ?? []));
      after = page?.next ?? undefined;
    }
    const ours = records.filter((one) => [one.reference, one.chargeReference].includes(reference));
    const shared = { accountId: under.accountId, customerId: 70, currency: 'usd', status: 'succeeded', takenBack: '0' };
    expect(ours.map((one) => ({ ...one, takenBack: `${Number(one.takenBack)}` }))).toMatchObject([
      { ...shared, kind: 'charge', amount: '12.50', chargeReference: null },
      { ...shared, kind: 'refund', amount: '2.50', chargeReference: reference },
    ]);
    expect(records.filter((one) => others.includes(one.reference))).toEqual([]);
  });

  test('a disputed charge has its dispute, however often it is read; another charge has none', async () => {
    const { reference } = await charged({ instrument: { token: under.tokens.disputed } });
    const reversals = () => under.gateway.reversals?.(reference, under.at, never);
    const read = await reversals();
    expect(read).toMatchObject({ returned: null, disputes: [{ status: 'open', amount: '12.50', amountLost: '0' }] });
    expect(await reversals()).toEqual(read);
    const other = (await charged()).reference;
    expect(await under.gateway.reversals?.(other, under.at, never)).toMatchObject({ returned: null, disputes: [] });
  });

  const event = (type: string) => ({ id: 'evt_1', type, reference: 'pi_1' });

  test('an event that the gateway signed names its operation; one of another type names none', () => {
    const { known, unknown } = under.types;
    expect(under.gateway.readEvent?.(under.message(event(known)))).toEqual(event(known));
    const ignored = { ...event(unknown), reference: null };
    expect(under.gateway.readEvent?.(under.message(event(unknown)))).toEqual(ignored);
  });

  test('an event that is changed, unsigned, old, or of another account is refused', () => {
    const message = under.message(event(under.types.known));
    const minutes = (count: number) => new Date(Date.now() - count * 60_000);
    const { configuration } = message;
    const messages: GatewayMessage[] = [
      { ...message, body: message.body.replace('evt_1', 'evt_2') },
      { ...message, headers: {} },
      { ...message, body: '' },
      under.message(event(under.types.known), { sentAt: minutes(6) }),
      { ...under.message(event(under.types.known), { account: under.accountId + 1 }), configuration },
    ];
    for (const one of messages) expect(() => under.gateway.readEvent?.(one)).toThrow(Refusal);
  });

  test('a token is described as the source that pays, and one that stands for nothing is not', async () => {
    const { gateway } = under;
    if (!gateway.describe) return; // it tells only after a charge
    const { outcome } = await charged();
    const { type, brand, funding, last4 } = ('source' in outcome && outcome.source) || {};
    expect(type).toBe('card');
    expect(await gateway.describe(under.tokens.pays, never)).toEqual({ type, brand, funding, last4 });
    expect(await gateway.describe('tok_of_nothing', never)).toBeNull();
    await expect(gateway.describe(under.tokens.pays, AbortSignal.abort())).rejects.toThrow();
  });
}
