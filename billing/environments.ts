/** The environments of a business, each with an account of its own. No money moves in the sandbox. */
export const environments = ['live', 'sandbox'] as const;
export type Environment = (typeof environments)[number];
