import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../proxy-app/', import.meta.url))
const next = fileURLToPath(new URL('../node_modules/next/dist/bin/next', import.meta.url))

/**
 * The texts of all files that a server of Next loads at once for the proxy of an application, as
 * `next build` made them.
 */
export function builtProxy(code) {
  rmSync(join(folder, '.next'), { recursive: true, force: true })
  writeFileSync(join(folder, 'proxy.js'), code)
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  const built = spawnSync(process.execPath, [next, 'build'], { cwd: folder, env, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`next build failed\n${built.stdout}${built.stderr}`)
  const read = file => readFileSync(join(folder, '.next/server', file), 'utf8')
  const files = [...read('middleware.js').matchAll(/R\.c\("server\/([^"]+)"\)/g)]
  if (files.length === 0)
    throw new Error('next build has changed: no files of the proxy were found')
  return files.map(([, file]) => read(file).replace(/\/\/# sourceMappingURL=.*/, ''))
}
