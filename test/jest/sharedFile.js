/** Replaces a test file that shares modules by code that makes Node load the file. */
const process = (_source, path) => ({
  code: `import * as globals from '@jest/globals';\nawait importShared(${JSON.stringify(path)}, globals);\n`,
});

export default { process, processAsync: async (source, path) => process(source, path) };
