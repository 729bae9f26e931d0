// Small workspaces and repositories for the tests of these tools.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A workspace in a temporary folder, gone after the test. Paths are relative to `packages/`. */
export function makeWorkspace(files: Record<string, string | object>): string {
  const root = mkdtempSync(join(tmpdir(), 'workspace-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [file, content] of Object.entries(files)) {
    const path = join(root, 'packages', file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return root
}

/** A repository in a temporary folder, with one package. Paths are relative to its root. */
export function makeRepository(files: Record<string, string>): string {
  const root = makeWorkspace({ 'core/package.json': { name: '@siteauth/core' } })
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  execFileSync('git', ['init', '-q'], { cwd: root })
  return root
}
