const gateway = 'what the gateway captured is what we recorded, once';
const disputedWhile = 'a charge is disputed while a bank has money of it because of a dispute';
const expense = 'the expense of refunds in the ledger is that of the payment';
const feeIncome = 'fee income in the ledger is the convenience fees that payments have';
const fee = 'the convenience fee of a charge is what its payment has of it, and what refunds and disputes took';
const given = 'a payment has given what was refunded or lost of it, from its own money or as an expense';
export const money = 'money of a payment in the ledger is its amount less the credit that it spends and its refunds';
export const paymentBalance = 'payment balance is its amount less what is applied or refunded';

/** Changes of charges, refunds, disputes and fees, here and at the gateway, that the audit has to report. */
export const chargeDrifts = [
  { check: gateway, drift: 'update test_gateway.operation set captured = 2 where captured = 1' },
  {
    check: gateway,
    drift: `insert into test_gateway.operation (key, reference, account_id, customer_id, kind, amount, currency, status, captured, prepared_at)
      values ('k', 'nobody_knows_it', 1, 1, 'charge', 5, 'usd', 'succeeded', 1, now())`,
  },
  { check: gateway, drift: `update test_gateway.operation set captured = 0, status = 'failed' where captured = 1` },
  {
    check: 'what the gateway gave back is what we recorded, once',
    drift: `insert into test_gateway.operation (key, reference, account_id, customer_id, kind, amount, currency, status, captured, prepared_at)
      values ('k', 'nobody_asked_for_it', 1, 1, 'refund', 5, 'usd', 'succeeded', 1, now())`,
  },
  {
    check: 'what banks hold or took back at the gateway is what we recorded',
    drift: `insert into test_gateway.dispute (reference, charge_reference, amount, reason, fee, opens_at, evidence_due_at, closes_as)
      select 'planted', reference, 1, 'fraudulent', 0, now(), now(), 'lost' from test_gateway.operation where captured = 1 limit 1`,
  },
  {
    check: 'the refunded amount of a charge is the sum of its refunds',
    drift: 'update charge set amount_refunded = 1',
    also: [given],
  },
  {
    check: 'a charge reserves the refunds that the gateway is being asked for',
    drift: 'update charge set refund_reserved = 1',
  },
  {
    check: 'a charge shows its refunds as they are',
    drift: `update charge set refunds = '[{"id": 1, "status": "succeeded", "amount": "1"}]'`,
  },
  {
    check: 'the status of a refund is that of its attempt',
    drift: `insert into refund (account_id, charge_id, attempt_id, currency, amount, from_unapplied, from_credit, from_deposits, expense,
        gateway, gateway_id, status, created_at, updated_at)
      select account_id, id, attempt_id, currency, 1, 1, 0, 0, 0, gateway, 'planted', 'failed', now(), now() from charge where status = 'succeeded' limit 1`,
    also: ['a charge shows its refunds as they are'],
  },
  {
    check: given,
    drift: 'update payment set refunded_own = 1, balance = 0 where charge_id is not null',
    also: [paymentBalance, money],
  },
  {
    check: 'disputes in the ledger are the amounts of the open disputes',
    drift: `insert into dispute (account_id, charge_id, gateway, gateway_id, currency, amount, status, reason, created_at, updated_at)
      select account_id, id, gateway, 'planted', currency, 1, 'open', 'fraudulent', now(), now() from charge where status = 'succeeded' limit 1`,
    also: [money, disputedWhile],
  },
  {
    check: 'a charge has lost what its disputes and its return took',
    drift: 'update charge set amount_lost = 1',
    also: [given],
  },
  { check: disputedWhile, drift: 'update charge set disputed = true' },
  {
    check: 'fees of gateways in the ledger are those of the charge',
    drift: 'update charge set gateway_fee = 1',
    also: [money],
  },
  { check: feeIncome, drift: `update ledger_entry set amount = amount * 2 where ledger_account = 'fee_income'` },
  {
    check: feeIncome,
    drift: `delete from payment_application where type = 'convenience_fee'`,
    also: [fee, paymentBalance],
  },
  { check: fee, drift: 'update charge set convenience_fee = 1 where convenience_fee = 0' },
  { check: fee, drift: 'update charge set convenience_fee = 0 where convenience_fee > 0' },
  {
    check: 'a payment without a charge shows its refunds as they are',
    drift: `update payment set refunds = '[]' where refunds <> '[]'`,
  },
  {
    check: 'money that no gateway sent has left the cash account with its refund, once',
    drift: `update ledger_entry set refund_id = null where refund_id is not null and payment_id is not null`,
  },
  {
    check: 'a refund of credit has the change of the credit balance that paid it out',
    drift: 'update credit_balance_adjustment set refund_id = null where refund_id is not null',
  },
  { check: expense, drift: 'update payment set refund_expense = 1 where charge_id is not null', also: [given, money] },
];
