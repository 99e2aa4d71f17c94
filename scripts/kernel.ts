// Compiles the skyline kernel (src/sunlight/assembly) into src/sunlight/kernel-module.ts: npm run kernel
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const OPTIONS = '-O3 --converge --noAssert --runtime stub --enable simd --initialMemory 64';

/** The text of the TypeScript file that holds the compiled kernel. Throws when it does not compile. */
export async function compileKernel(): Promise<string> {
  let module: Uint8Array = new Uint8Array();
  const keep = (_name: string, contents: string | Uint8Array): void => {
    if (typeof contents !== 'string') module = contents;
  };
  const files = ['src/sunlight/assembly/index.ts', '--baseDir', root, '--outFile', 'kernel.wasm'];
  const { error, stderr } = await asc.main([...files, ...OPTIONS.split(' ')], { writeFile: keep });
  if (error) throw new Error(`${error.message}\n${stderr}`);
  const base64 = Buffer.from(module).toString('base64');
  return [
    `/** The kernel that \`npm run kernel\` compiles from \`assembly/\`: a WebAssembly module of ${module.length} bytes, in base64. */`,
    'export const KERNEL_MODULE =',
    `  '${base64}';`,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(join(root, 'src/sunlight/kernel-module.ts'), await compileKernel());
}
