// npm run bench            all benchmarks
// npm run bench -- session those whose name contains "session"
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const wanted = process.argv[2] ?? ''
const names = readdirSync(here)
  .filter(name => name.endsWith('.mjs') && !['run.mjs', 'measure.mjs'].includes(name))
  .filter(name => name.includes(wanted))
if (names.length === 0) {
  console.error(`No benchmark is named like "${wanted}".`)
  process.exit(2)
}
// What is measured is what is published.
run([fileURLToPath(new URL('../tools/build.mjs', import.meta.url))])
for (const name of names) {
  console.log(`\n## ${name.replace('.mjs', '')}\n`)
  run([here + name])
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
