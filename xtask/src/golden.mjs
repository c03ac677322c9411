// Runs the goldens of a wasm module and compares them with the expected hashes:
//   node golden.mjs MODULE.wasm NAME:COUNT:HASH...
// The module imports nothing and exports its memory, name_address() -> u32, where a NAME is written,
// and golden(bytes of the name: u32, count: u32) -> u64, which is 0 for names that it does not know.

import { readFile } from "node:fs/promises";

const [file, ...goldens] = process.argv.slice(2);
const module = await WebAssembly.compile(await readFile(file));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) {
  const names = imports.map((wanted) => `${wanted.module}.${wanted.name}`).join(", ");
  console.error(`${file} imports ${names}: the simulation must need nothing from its host`);
  process.exit(1);
}
const { exports } = await WebAssembly.instantiate(module, {});

let failures = 0;
for (const golden of goldens) {
  const [name, count, expected] = golden.split(":");
  const bytes = new TextEncoder().encode(name);
  new Uint8Array(exports.memory.buffer).set(bytes, exports.name_address());
  const start = performance.now();
  // A wasm u64 arrives as a signed BigInt.
  const got = BigInt.asUintN(64, exports.golden(bytes.length, Number(count)));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const equal = got === BigInt(`0x${expected}`);
  failures += equal ? 0 : 1;
  const verdict = equal ? "equal" : `DIFFERS, expected ${expected.padStart(16, "0")}`;
  const hash = got.toString(16).padStart(16, "0");
  console.log(`${name} ${count} on wasm32: ${hash}, ${verdict} (${seconds} s)`);
}
process.exit(failures === 0 ? 0 : 1);
