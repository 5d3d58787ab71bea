import type { Adapter } from 'oidc-provider';

const unsupported = (what: string) => async (): Promise<never> => {
  throw new Error(`OAuth storage does not support this operation: ${what}`);
};

/** An adapter that supports no operation. Each model overrides the operations that it supports. */
export const nothing: Adapter = {
  upsert: unsupported('store'),
  find: unsupported('find'),
  findByUserCode: unsupported('find by user code'),
  findByUid: unsupported('find by uid'),
  consume: unsupported('consume'),
  destroy: unsupported('delete'),
  revokeByGrantId: unsupported('revoke'),
};
