/** Jest runs this in place of a test file that shares modules; it has Node load the file itself. */
const process = (_source, path) => ({
  code: `import * as globals from '@jest/globals';\nawait importShared(${JSON.stringify(path)}, globals);\n`,
});

export default { process, processAsync: async (source, path) => process(source, path) };
