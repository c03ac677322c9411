// Makes src/proto/live.js and live.d.ts from the one schema that both sides use. The code is plain
// (no eval), so that the page's content security policy can forbid everything else.
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import parseSchema from 'protocol-buffers-schema';
import { compileRaw } from 'pbf/compile';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '../../crates/io/rolima-wire/proto/live.proto');
const target = join(here, '../src/proto');

const NUMBERS = new Set([
  'double', 'float', 'int32', 'int64', 'uint32', 'uint64', 'sint32', 'sint64', 'fixed32',
  'fixed64', 'sfixed32', 'sfixed64',
]);

// Whether an optional number is there can be told of choices only: has_NAME says so.
const text = readFileSync(source, 'utf8').replace(/^(\s*)optional (\w+ (\w+) = \d+;)/gm, '$1oneof has_$3 { $2 }');
const schema = parseSchema.parse(text);
/** Types declared outside of any message, by their own names; nested ones as pbf calls them. */
const enums = new Map();
const messages = new Set();

function collect(scope, prefix) {
  for (const item of scope.enums) enums.set(prefix + item.name, item);
  for (const item of scope.messages) {
    messages.add(prefix + item.name);
    collect(item, prefix + item.name);
  }
}
collect(schema, '');

function typeName(type, scope) {
  if (NUMBERS.has(type)) return 'number';
  if (type === 'bool') return 'boolean';
  if (type === 'string') return 'string';
  if (type === 'bytes') return 'Uint8Array';
  for (const name of [scope + type, type.replaceAll('.', '')]) {
    if (messages.has(name)) return name;
    if (enums.has(name)) return 'number';
  }
  throw new Error(`live.proto: unknown type ${type}`);
}

function isMessage(type, scope) {
  return messages.has(scope + type) || messages.has(type.replaceAll('.', ''));
}

function declare(message, name) {
  const lines = [];
  for (const field of message.fields) {
    const type = typeName(field.type, name);
    const choice = field.oneof || (isMessage(field.type, name) && !field.repeated);
    if (field.repeated) lines.push(`  ${field.name}: ${type}[];`);
    else if (choice) lines.push(`  ${field.name}?: ${type} | undefined;`);
    else lines.push(`  ${field.name}: ${type};`);
  }
  for (const oneof of new Set(message.fields.map((field) => field.oneof).filter(Boolean))) {
    const names = message.fields.filter((field) => field.oneof === oneof);
    lines.push(`  ${oneof}?: ${names.map((field) => `'${field.name}'`).join(' | ')} | undefined;`);
  }
  const nested = message.messages.map((inner) => declare(inner, name + inner.name));
  return [
    `export interface ${name} {\n${lines.join('\n')}\n}`,
    `export function read${name}(pbf: PbfReader, end?: number): ${name};`,
    // Columns may be given as typed arrays, and what is left out has its default.
    `export function write${name}(obj: Loose<${name}>, pbf: PbfWriter): void;`,
    ...nested,
  ].join('\n');
}

const declarations = [
  '// Made from live.proto by scripts/generate.mjs.',
  "import type { PbfReader, PbfWriter } from 'pbf';",
  'type Loose<T> = T extends number[] ? ArrayLike<number> : T extends (infer U)[] ? Loose<U>[]\n' +
    '  : T extends object ? { [K in keyof T]?: Loose<T[K]> } : T;',
  ...[...enums].map(([name, item]) => {
    const values = Object.entries(item.values).map(([key, { value }]) => `${key}: ${value}`);
    return `export const ${name}: { readonly ${values.join('; readonly ')} };`;
  }),
  ...schema.messages.map((message) => declare(message, message.name)),
];

function writeIfChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(path, text);
}

mkdirSync(target, { recursive: true });
writeIfChanged(join(target, 'live.js'), compileRaw(schema));
writeIfChanged(join(target, 'live.d.ts'), declarations.join('\n\n') + '\n');
