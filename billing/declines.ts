/** `soft`: a retry may succeed. `hard`: only another source can be charged. `needs_customer`: the customer must authorize the charge. */
export const declineKinds = ['soft', 'hard', 'needs_customer'] as const;
export type DeclineKind = (typeof declineKinds)[number];
