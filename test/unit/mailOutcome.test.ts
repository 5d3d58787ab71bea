import { expect, test } from '@jest/globals';
import { type MailAnswer, type MailOutcome, type MailProgress, mailOutcome } from '../../billing/mail/mailOutcome.ts';

// A mail to Ann, with blind copies to the books and to the boss.
const [ANN, BOOKS, BOSS] = ['Ann@example.com', 'books@example.com', 'boss@example.com'];
const start = { waiting: [ANN, BOOKS, BOSS], refusal: null, copyRefusal: null };
const said = (reason: string, ...addresses: string[]) => addresses.map((address) => ({ address, reason }));
const answer = (over: Partial<MailAnswer>): MailAnswer => ({
  status: 'sent',
  reason: null,
  refused: [],
  deferred: [],
  ...over,
});

const BUSY = '451 busy';
const GONE = '550 gone';
const OUR_DOWN = answer({ status: 'temporary', reason: 'ECONNREFUSED' });

test.each<[string, Partial<MailProgress>, MailAnswer, MailOutcome]>([
  [
    'a recipient that is refused for now waits alone',
    {},
    answer({ deferred: said(BUSY, 'ann@EXAMPLE.com') }),
    { state: 'queued', reason: BUSY, progress: { ...start, waiting: [ANN] } },
  ],
  [
    'copies that are refused for now wait alone',
    {},
    answer({ deferred: said(BUSY, BOOKS, BOSS) }),
    { state: 'queued', reason: `A blind copy waits: ${BUSY}`, progress: { ...start, waiting: [BOOKS, BOSS] } },
  ],
  [
    'a recipient that was reached never waits again',
    { waiting: [BOOKS] },
    answer({ deferred: said(BUSY, ANN, BOSS) }),
    { state: 'sent', reason: null, progress: { ...start, waiting: [] } },
  ],
  [
    'everybody waits while the server is down, except those that were refused for good',
    {},
    { ...OUR_DOWN, refused: said(GONE, BOSS) },
    {
      state: 'queued',
      reason: 'ECONNREFUSED',
      progress: { waiting: [ANN, BOOKS], refusal: null, copyRefusal: GONE },
    },
  ],
  [
    'a copy waits although the recipient was refused for good',
    {},
    answer({ status: 'temporary', reason: BUSY, refused: said(GONE, ANN, BOSS), deferred: said(BUSY, BOOKS) }),
    { state: 'queued', reason: GONE, progress: { waiting: [BOOKS], refusal: GONE, copyRefusal: GONE } },
  ],
  [
    'the mail is bounced once the last copy arrived, because its recipient was refused for good',
    { waiting: [BOOKS], refusal: GONE },
    answer({}),
    { state: 'bounced', reason: GONE, progress: { waiting: [], refusal: GONE, copyRefusal: null } },
  ],
  [
    'the mail is sent when a copy that waited is refused for good',
    { waiting: [BOOKS] },
    answer({ status: 'permanent', reason: GONE }),
    {
      state: 'sent',
      reason: `A blind copy did not arrive: ${GONE}`,
      progress: { ...start, waiting: [], copyRefusal: GONE },
    },
  ],
])('%s', (_, before, given, outcome) => {
  expect(mailOutcome({ toAddress: ANN, before: { ...start, ...before }, isTooLate: false }, given)).toEqual(outcome);
});

test.each([
  ['failed because its recipient waits', {}, OUR_DOWN, 'failed', 'ECONNREFUSED'],
  [
    'sent because only a copy waits',
    { waiting: [BOSS] },
    OUR_DOWN,
    'sent',
    'A blind copy did not arrive: ECONNREFUSED',
  ],
  ['bounced because its recipient was refused', { waiting: [BOSS], refusal: GONE }, OUR_DOWN, 'bounced', GONE],
])('after 48 hours a mail is %s', (_, before, given, state, reason) => {
  const mail = { toAddress: ANN, before: { ...start, ...before }, isTooLate: true };
  expect(mailOutcome(mail, given)).toMatchObject({ state, reason });
});
