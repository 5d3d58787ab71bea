import { fileURLToPath } from 'node:url';

/** The program that checks and renders customized emails. */
export const templateProgram = fileURLToPath(new URL('./templateProgram.ts', import.meta.url));
