import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

export const account = keyword('PerennialAccount');
export const customer = keyword('PerennialCustomer');
export const subject = keyword('PerennialSubject');
export const state = keyword('PerennialState');

/**
 * The attributes by which operators search processes: the ids of account and customer, the object as "invoice/12", the state of the
 * process. Pumps have no customer.
 */
export const searchAttributes = [account, customer, subject, state];

/** `problem`: the step was refused or keeps failing. Temporal's own ExecutionStatus tells that a process has ended. */
export type ProcessState = 'waiting' | 'problem';
