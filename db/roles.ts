import { SYSTEM_ROLE } from './tenant.ts';

/** Thrown if the owner lacks a right that a migration needs. The message is for the operator. */
export class MissingRight extends Error {
  override readonly name = 'MissingRight';
}

/** Runs work that creates and changes roles. Throws MissingRight if the owner of the database lacks the right. */
export async function administering<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== '42501') throw error;
    throw new MissingRight(
      `PostgreSQL says: ${error.message.split(' - ').at(-1)}. The login of \`migrate\` must own the database and be allowed to create roles (alter role <owner> createrole). ` +
        `If a deployment with another owner created the role ${SYSTEM_ROLE} on this server, run: grant ${SYSTEM_ROLE} to <owner> with admin option.`,
    );
  }
}
