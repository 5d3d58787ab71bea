import { stripTypeScriptTypes } from 'node:module';

/** Strips types as Node does, which keeps every line and column. */
const process = (source) => ({ code: stripTypeScriptTypes(source) });

export default { process, processAsync: async (source) => process(source) };
