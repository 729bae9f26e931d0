// npm run bench            all benchmarks
// npm run bench -- session those whose name is "session", or begins so, or has it somewhere in it
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const wanted = process.argv[2] ?? ''
const all = readdirSync(here)
  .filter(name => name.endsWith('.mjs') && name !== 'run.mjs')
  .map(name => name.replace('.mjs', ''))
const names =
  [
    all.filter(name => name === wanted),
    all.filter(name => name.startsWith(wanted)),
    all.filter(name => name.includes(wanted)),
  ].find(found => found.length > 0) ?? []
if (names.length === 0) {
  console.error(`No benchmark is named like "${wanted}".`)
  process.exit(2)
}
if (!existsSync(`${here}node_modules`)) {
  console.log('Installing what is measured against, into bench/node_modules.')
  runNow('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund', '--silent'])
}
// What is measured is what is published.
runNow(process.execPath, [fileURLToPath(new URL('../tools/build.mjs', import.meta.url))])

const started = Date.now()
const failed = []
for (const [index, name] of names.entries()) {
  console.log(`\n## ${name}\n`)
  const begun = Date.now()
  if ((await run(name, index)) !== 0) failed.push(name)
  console.log(`took ${minutes(Date.now() - begun)}`)
}
console.log(`\nTables and plots are in bench/results. It took ${minutes(Date.now() - started)}.`)
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}.`)
  process.exit(1)
}

function runNow(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** One benchmark, with a bar that moves on as it tells how far it is: see lib/progress.mjs. */
async function run(name, index) {
  const child = spawn(process.execPath, [`${here}${name}.mjs`], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let done = 0
  child.on('message', ({ share }) => {
    done = share
  })
  const bar = process.stderr.isTTY ? setInterval(() => draw(name, index, done), 250) : undefined
  child.stdout.on('data', text => {
    clearLine()
    process.stdout.write(text)
  })
  const status = await new Promise(resolve => child.on('close', resolve))
  clearInterval(bar)
  clearLine()
  return status
}

function draw(name, index, done) {
  const width = 24
  const filled = Math.round(((index + done) / names.length) * width)
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
  const time = minutes(Date.now() - started)
  process.stderr.write(`\r${bar} ${index + 1} of ${names.length}: ${name}, ${time} so far `)
}

function clearLine() {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K')
}

function minutes(milliseconds) {
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`
}
