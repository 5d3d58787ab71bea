import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

/**
 * The attributes by which operators search processes: the ids of account and customer, the object as "invoice/12", the state of the
 * process. Pumps have no customer.
 */
export const searchAttributes = {
  account: keyword('PerennialAccount'),
  customer: keyword('PerennialCustomer'),
  subject: keyword('PerennialSubject'),
  state: keyword('PerennialState'),
};

/** `problem`: the step was refused or keeps failing. Temporal's own ExecutionStatus shows whether a process has ended. */
export type ProcessState = 'waiting' | 'problem';
