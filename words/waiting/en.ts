import type { WaitingWords } from './wording.ts';

export const en: WaitingWords = {
  task: {
    asked: {
      one: 'It asks for {count} open invoice. Due date: {day}.',
      other: 'It asks for {count} open invoices. First due date: {day}.',
    },
    owing: 'The customer owes {amount} past the due date.',
    due: 'It was planned for {day}.',
    undated: 'It has no due date.',
  },
  promise: '{amount} was promised for {day} and did not come.',
  line: 'The customer disputes a line: {reason}.',
  held: 'Nobody asks for the invoice until {day}.',
  dispute: 'The bank of the payer holds {amount}: {reason}.',
  evidence: 'Evidence is due by {day}.',
  failed: 'The charge failed: {reason}.',
  again: 'It is tried again on {day}.',
  over: 'It is not tried again.',
  arrived: '{amount} arrived on {day} and pays nothing yet.',
  owed: 'The customer owes {owed}.',
  stranger: 'It belongs to no customer.',
  problem: '{step}: {message}.',
  tried: { one: 'Tried {count} time since {day}.', other: 'Tried {count} times since {day}.' },
};
