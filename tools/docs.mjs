// VitePress knows nothing of the reference that is made from comments, so this writes it first.
//
// node tools/docs.mjs dev|build|preview [options of VitePress]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { writeApiDocs } from './api-docs.mjs'
import { withDeclarations } from './with-declarations.mjs'
import { ROOT } from './workspace.mjs'

const [command = 'dev', ...options] = process.argv.slice(2)
const faults =
  command === 'preview' ? [] : withDeclarations(declared => writeApiDocs(ROOT, declared))
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exit(1)

const vitepress = join(ROOT, 'node_modules/vitepress/bin/vitepress.js')
const { status } = spawnSync(process.execPath, [vitepress, command, 'docs', ...options], {
  cwd: ROOT,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
