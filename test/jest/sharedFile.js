/** Jest runs this in place of a test file: Node loads the file itself, so that all files of a worker share their modules. */
const process = (_source, path) => ({
  code: `import * as globals from '@jest/globals';\nawait importShared(${JSON.stringify(path)}, globals);\n`,
});

export default { process, processAsync: async (source, path) => process(source, path) };
