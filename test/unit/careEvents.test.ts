import { expect, test } from '@jest/globals';
import type { Presented } from '../../billing/json.ts';
import { declineCodes, failureCode, paymentFailureCodes } from '../../billing/payments/declines.ts';
import { type EntryFacts, entryInWords, membersIn } from '../../present/timelines/timeline.ts';
import { choices } from '../../words/dashboard/choices/en.ts';
import { en } from '../../words/planned/en.ts';

/** The words of timelines for the care of customers: tasks, holds, owners, contacts, notes and promises. */

const DAY = Date.parse('2027-03-05T12:00:00Z') / 1000;
const members = new Map([
  [3, 'Ada Lovelace'],
  [4, 'Bob'],
]);
const told = (rule: string, object: EntryFacts['object'], previous: EntryFacts['previous'] = {}) => {
  const none = { step: null, eventReason: null, reason: null, reasonDetail: null };
  const credential = { kind: 'member', id: 3, name: 'Ada Lovelace' } as const;
  const { what, why } = entryInWords(
    { ...none, eventId: 1, rule, object, previous, userId: 3, credential, members },
    'Europe/Berlin',
  );
  return `${what} | ${why}`;
};
const asked = 'asked by Ada Lovelace';
const call = { id: 8, name: 'Call Ann', user_id: 4, due_date: DAY };

const changes: [string, Presented, Presented, string][] = [
  ['task.created', call, {}, 'task “Call Ann” made for Bob, due 5 March 2027'],
  ['task.created', { id: 8, name: 'Call Ann', user_id: null, due_date: null }, {}, 'task “Call Ann” made'],
  [
    'task.updated',
    call,
    { due_date: DAY - 86_400, user_id: 9 },
    'task “Call Ann” updated: due date from 4 March 2027 to 5 March 2027, user id from user 9 to Bob',
  ],
  ['task.completed', { ...call, outcome: 'pays on Monday' }, {}, 'task “Call Ann” completed: pays on Monday'],
  ['task.deleted', call, {}, 'task “Call Ann” deleted'],
  ['note.created', { notes: 'Nice\npeople' }, {}, 'note written: “Nice people”'],
  ['note.created', { notes: 'x'.repeat(199) }, {}, `note written: “${'x'.repeat(99)}…”`],
  [
    'contact.updated',
    { name: 'Grace', email: 'new@b.example', primary: true, phone: null },
    { email: 'old@b.example', primary: false, phone: '123' },
    'contact Grace updated: email from old@b.example to new@b.example, primary from no to yes, phone 123 removed',
  ],
  ['customer.updated', { credit_hold: true }, { credit_hold: false }, 'put on credit hold'],
  ['customer.updated', { credit_hold: false }, { credit_hold: true }, 'credit hold ended'],
  ['customer.updated', { chase: false }, { chase: true }, 'no longer asked for what it owes'],
  ['customer.updated', { owner: 4 }, { owner: null }, 'owner: Bob'],
  ['customer.updated', { owner: 4 }, { owner: 3 }, 'owner: Bob, before Ada Lovelace'],
  ['customer.updated', { next_chase_step: 4 }, { next_chase_step: null }, 'its cadence moved on'],
  ['customer.updated', { owner: null }, { owner: 4 }, 'no owner any more, before Bob'],
  [
    'customer.updated',
    { name: 'Bea', phone: '1', credit_limit: 5000, currency: 'eur', taxes: [], payment_source: null },
    { name: 'Ann', phone: null, credit_limit: 10.5, taxes: [{}], payment_source: { id: 7 } },
    'customer updated: name from Ann to Bea, phone set to 1, credit limit from €10.50 to €5,000.00, taxes, payment source',
  ],
  [
    'customer.updated',
    { credit_hold: true, owner: 3, city: 'Rome' },
    { credit_hold: false, owner: 4, city: 'Oslo' },
    'put on credit hold; owner: Ada Lovelace, before Bob; customer updated: city from Oslo to Rome',
  ],
];

test.each(changes)('%s of %j with former values %j: %s', (rule, object, previous, what) => {
  expect(told(rule, object, previous)).toBe(`${what} | ${asked}`);
});

test('a promise says who gave or wrote it down', () => {
  const invoice = { number: 'INV-1', expected_payment_date: { date: DAY } };
  expect(told('invoice.payment_expected', invoice)).toBe(
    `payment of INV-1 promised by 5 March 2027 | ${asked}; until then nobody asks for it`,
  );
});

test('a change with many fields names six of them', () => {
  const names = Array.from({ length: 9 }, (_, index) => [`field_${index}`, 'b']);
  const what = told(
    'customer.updated',
    Object.fromEntries(names),
    Object.fromEntries(names.map(([name]) => [name, 'a'])),
  );
  expect(what).toMatch(/^customer updated: (field \d from a to b, ){6}3 more \|/);
});

test('only members that sentences name are looked up', () => {
  expect(
    membersIn([
      { object: { owner: 3, id: 77 }, previous: { owner: 4 } },
      { object: null, previous: null },
    ]),
  ).toEqual([3, 4]);
});

test('each reason of a failure has one name, also by the code of the gateway', () => {
  const failureName = (code: string) => en.failures[failureCode(code)];
  const names = Object.keys(paymentFailureCodes).map(failureName);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(declineCodes).map(failureName)).toContain('insufficient funds');
  const { paymentFailure } = choices;
  expect(Object.values(paymentFailure).map((name) => name.toLowerCase())).toEqual(names);
  expect(failureName('lost_card')).toBe(failureName('source_blocked'));
  expect(failureName('never heard of')).toBe('no reason given');
});
