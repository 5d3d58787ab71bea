import { expect, test } from '@jest/globals';
import { taskOutcomes } from '../../billing/collection/taskOutcome.ts';
import { isOfCustomer, timedNames, timedProcesses } from '../../billing/processes.ts';
import { type StepText, stepText, stepTexts } from '../../billing/stepTexts.ts';
import { noticeInWords } from '../../billing/subscriptions/subscriptionNotices.ts';
import { inWords } from '../../billing/subscriptions/subscriptionSteps.ts';
import { attemptKinds } from '../../db/schema/attempt.ts';
import { lookUpInWords } from '../../present/payments/attempt.ts';
import { stepTextIn } from '../../present/timelines/planned.ts';
import { type EntryFacts, entryInWords } from '../../present/timelines/timeline.ts';
import { spokenLanguages } from '../../words/languages.ts';
import { plannedWordsOf } from '../../words/planned/words.ts';
import { timelineWordsOf } from '../../words/timeline/words.ts';

/** The words of timelines in eight languages, and stored steps that are found again to be told in them. */

const others = spokenLanguages.filter((language) => language !== 'en');
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted().join();
const isGroup = (of: unknown): of is object => typeof of === 'object' && of !== null;

/** Every label by its path, with its placeholders. A plural counts by its form for most numbers. */
function labelsIn(words: object, path = ''): [string, string][] {
  if ('other' in words) return [[path, placeholders(String(words.other))]];
  return Object.entries(words)
    .filter(([name]) => `${path}.${name}` !== '.fields')
    .flatMap(([name, label]): [string, string][] =>
      isGroup(label) ? labelsIn(label, `${path}.${name}`) : [[`${path}.${name}`, placeholders(String(label))]],
    );
}

test.each(others)('%s: each label has the placeholders of the English one', (language) => {
  for (const wordsOf of [timelineWordsOf, plannedWordsOf]) {
    expect(labelsIn(wordsOf(language)).toSorted()).toEqual(labelsIn(wordsOf('en')).toSorted());
    expect(wordsOf(language)).not.toEqual(wordsOf('en'));
  }
});

test.each(others)('%s: no sentence was left in English', (language) => {
  const sentences = (words: object) => JSON.stringify(words).match(/"[^"]*? [^"]*? [^"]*?"/g) ?? [];
  for (const wordsOf of [timelineWordsOf, plannedWordsOf]) {
    const english = sentences(wordsOf('en')).filter((text) => /[a-z]{3}/.test(text.replace(/\{\w+\}/g, '')));
    expect(english.length).toBeGreaterThan(40);
    expect(sentences(wordsOf(language)).filter((text) => english.includes(text))).toEqual([]);
  }
});

test('English tells a stored text as it is stored', () => {
  expect(plannedWordsOf('en').steps).toEqual(stepTexts);
  expect(plannedWordsOf('en').outcomes).toEqual(taskOutcomes);
});

test('every rule that plans a step of an object of a customer says why', () => {
  const rules = timedNames.filter(isOfCustomer).flatMap((process) => [...timedProcesses[process].rules]);
  expect(Object.keys(plannedWordsOf('en').rules)).toEqual(expect.arrayContaining(rules));
});

/** Values that stored texts have, some of which look like other texts. */
const hard: Readonly<Record<string, string>> = {
  number: '2',
  count: '4',
  days: '30',
  id: '17',
  invoice: '12',
  source: 'bank account',
  action: 'email',
  address: 'a: b not mailed@example.com',
  month: '2027-03',
  currency: 'usd',
  state: 'failed',
  reason: 'no route: 5 of 6, text 8 failed: again',
};

const isName = (name: string): name is StepText => Object.hasOwn(stepTexts, name);
const names = Object.keys(stepTexts).filter(isName);

test.each(names)('the stored text of %s is found with its values', (name) => {
  const stored = stepText(name, name === 'unmailed' ? { ...hard, number: 'RE 7: made' } : hard);
  const values = Object.fromEntries(
    [...stepTexts[name].matchAll(/\{(\w+)\}/g)].map(([, value = '']) => [value, hard[value] ?? '']),
  );
  expect(stepTextIn(stored)).toEqual({
    name,
    values: name === 'unmailed' ? { ...values, number: 'RE 7: made' } : values,
  });
});

const planned = (stored: string, language: (typeof spokenLanguages)[number]) => {
  const none = { eventId: null, object: null, previous: null, userId: null, credential: null, eventReason: null };
  const entry: EntryFacts = { ...none, rule: 'attempt', step: stored, reason: null, reasonDetail: null };
  return entryInWords(entry, 'UTC', language);
};

const period = { startAt: 0, endAt: 1, at: 0 };
const bill = { kind: 'bill', ...period, advanceDays: 0 } as const;
const written: readonly string[] = [
  inWords({ ...bill, period: 0, inArrears: false }),
  inWords({ ...bill, period: 3, inArrears: false }),
  inWords({ ...bill, period: 3, inArrears: true }),
  inWords({ kind: 'begin', ...period, period: 0 }),
  inWords({ kind: 'begin', ...period, period: 5 }),
  inWords({ kind: 'trial', ...period }),
  inWords({ kind: 'finish', at: 0 }),
  inWords({ kind: 'finish', at: 0, isLast: true }),
  ...(['pause', 'resume', 'renew', 'await_renewal', 'late_usage', 'cancel'] as const).map((kind) =>
    inWords({ kind, at: 0 }),
  ),
  ...(['renews_soon', 'contract_ending'] as const).map((kind) => noticeInWords({ kind, at: 0, eventAt: 0 })),
  ...attemptKinds.flatMap((kind) =>
    (['credit_card', 'ach'] as const).flatMap((method) =>
      (['open', 'waiting'] as const).map((state) => lookUpInWords({ kind, method, state })),
    ),
  ),
];

test.each(others)('%s: each step that is written is told in the language, with its values', (language) => {
  for (const stored of written) {
    const { what } = planned(stored, language);
    expect([stored, what]).not.toEqual([stored, stored]);
    expect([stored, what.match(/\d+/g)]).toEqual([stored, stored.match(/\d+/g)]);
    expect(what).not.toMatch(/[{}]/);
  }
});

test.each(spokenLanguages)('%s: a stored text of another version is shown as it is', (language) => {
  for (const stored of ['calls the moon {number}', 'attempt the impossible', 'renewal', 'text'])
    expect(planned(stored, language).what).toBe(stored);
});

test.each(spokenLanguages)(
  '%s: what Perennial wrote about a task is told in the language, what a person wrote as it is',
  (language) => {
    const outcomeOf = (outcome: string) => {
      const none = { step: null, eventReason: null, reason: null, reasonDetail: null, userId: -1, credential: null };
      const entry = { ...none, eventId: 1, rule: 'task.completed', object: { id: 5, outcome }, previous: {} };
      return entryInWords(entry, 'UTC', language).what;
    };
    expect(outcomeOf(taskOutcomes.promise_kept)).toContain(plannedWordsOf(language).outcomes.promise_kept);
    expect(outcomeOf('the promise was kept, they say')).toContain('the promise was kept, they say');
  },
);

test.each(['ar', 'he'] as const)(
  '%s: a number at the beginning does not turn a sentence, and keeps its own direction',
  (language) => {
    const none = { step: null, eventReason: null, reason: null, reasonDetail: null, userId: -1, credential: null };
    const object = { number: 'INV-1', status: 'past_due' };
    const entry = { ...none, eventId: 1, rule: 'invoice.updated', object, previous: { status: 'sent' } };
    const { what } = entryInWords(entry, 'UTC', language);
    expect(what).toContain('\u2068INV-1\u2069');
    expect(what).toMatch(/^[\u200f\u0590-\u06ff]/);
  },
);
