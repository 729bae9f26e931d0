import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawSequence } from '../docs/.vitepress/sequence.mjs'
import { ROOT } from './workspace.mjs'

describe('the site', () => {
  let folder: string
  let files: string[]
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'site-'))
    const build = [join(ROOT, 'tools/docs.mjs'), 'build', '--outDir', folder]
    execFileSync(process.execPath, build, {
      stdio: 'pipe',
      env: { ...process.env, QUICK_SITE: 'yes' },
    })
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  }, 600_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const read = (file: string) => readFileSync(join(folder, file), 'utf8')

  it('is built from every document', () => {
    expect(files).toContain('index.html')
    expect(files).toContain('differences.html')
    expect(files).toContain(join('reference', 'api', 'core.html'))
    expect(files).toContain(join('providers', 'index.html'))
    expect(files.filter(file => file.endsWith('.html')).length).toBeGreaterThan(150)
  })

  it('loads nothing from elsewhere', () => {
    for (const file of files.filter(each => each.endsWith('.html'))) {
      const loaded = read(file).match(
        /<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\/[^"]+/g,
      )
      expect(loaded, file).toBeNull()
    }
    for (const file of files.filter(each => each.endsWith('.css'))) {
      expect(read(file), file).not.toMatch(/url\(["']?(?:https?:)?\/\//)
    }
  })

  it('carries the index that it is searched by', () => {
    const index = files.find(file => /localSearchIndex.*\.js$/.test(file))
    expect(index).toBeDefined()
    expect(read(index ?? '')).toContain('MissingSecret')
  })

  it('has an anchor for each error, drawn diagrams, and no link to files that it does not have', () => {
    expect(read('errors.html')).toContain('id="missingsecret"')
    expect(read(join('concepts', 'sign-in.html'))).toContain('<svg role="img"')
    expect(read(join('guide', 'express.html'))).not.toMatch(/href="[^"]*examples\/express/)
  })
})

describe('a diagram', () => {
  it('is drawn with its participants, arrows and notes', () => {
    const svg = drawSequence(
      'sequenceDiagram\nparticipant A as Ann\nparticipant B as Bob <b>\nA->>B: hello\nB-->>A: hi\nNote over A,B: done',
    )
    expect(svg).toContain('>Ann</text>')
    expect(svg).toContain('Bob &lt;b>')
    expect(svg).toContain('class="arrow answer"')
    expect(svg).toContain('class="note"')
  })

  it('that cannot be drawn stops the build', () => {
    expect(() => drawSequence('participant A as Ann\nA->>B: hello')).toThrow('no participant B')
    expect(() => drawSequence('graph TD')).toThrow('cannot have this line: graph TD')
  })
})
