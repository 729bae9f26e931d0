import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { writeApiDocs } from './api-docs.mjs'
import { ROOT } from './workspace.mjs'

// `node tools/docs.mjs dev|build|preview [options of VitePress]`, after the packages were built.
const [command = 'dev', ...options] = process.argv.slice(2)
const faults = command === 'preview' ? [] : writeApiDocs()
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exit(1)

const vitepress = join(ROOT, 'node_modules/vitepress/bin/vitepress.js')
const { status } = spawnSync(process.execPath, [vitepress, command, 'docs', ...options], {
  cwd: ROOT,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
