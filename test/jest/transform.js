import { stripTypeScriptTypes } from 'node:module';

/** Tests run the very code that Node runs: its own type stripping, which keeps every line and column. */
const process = (source) => ({ code: stripTypeScriptTypes(source) });

export default { process, processAsync: async (source) => process(source) };
