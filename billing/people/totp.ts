import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds of one code. */
const STEP_SECONDS = 30;

/** A new secret for an authenticator app, base32. */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** The address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  return generateURI({ issuer: 'Perennial', label: email, secret });
}

/**
 * Finds the step of 30 seconds whose code this is. The present step and the one before it count. Returns null for any other code, and if a
 * code of that step or of a later one was used before.
 */
export function totpStepOf(
  code: string,
  { secret, lastStep }: { secret: string; lastStep: number | null },
  now: Date,
): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(now.getTime() / 1000);
  const after = lastStep === null ? {} : { afterTimeStep: lastStep };
  if (lastStep !== null && lastStep >= Math.floor(epoch / STEP_SECONDS)) return null;
  const result = verifySync({ secret, token, epoch, epochTolerance: [STEP_SECONDS, 0], ...after });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
