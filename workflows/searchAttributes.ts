import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

export const account = keyword('PerennialAccount');
export const customer = keyword('PerennialCustomer');
export const subject = keyword('PerennialSubject');
export const state = keyword('PerennialState');

/**
 * What operators search processes by: the account's and the customer's id, the object as "invoice/12", and how the process stands.
 * Pumps have no customer.
 */
export const searchAttributes = [account, customer, subject, state];

/** `problem`: its step was refused or keeps failing. That a process is over is told by Temporal's own ExecutionStatus. */
export type ProcessState = 'waiting' | 'problem';
