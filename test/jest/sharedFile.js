/** Replaces a test file by code that makes Node load it, so that all files of a Jest worker share their modules. */
const process = (_source, path) => ({
  code: `import * as globals from '@jest/globals';\nawait importShared(${JSON.stringify(path)}, globals);\n`,
});

export default { process, processAsync: async (source, path) => process(source, path) };
