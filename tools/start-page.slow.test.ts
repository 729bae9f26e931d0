import { expect, it, onTestFinished } from 'vitest'
import { createProject, installedBy, readStartPage } from './start-page.ts'

it('has its reader run programs that import the packages as they are published', async () => {
  const project = createProject()
  onTestFinished(() => project.remove())
  project.install(installedBy({ commands: ['npm install @siteauth/core'] }))
  project.write({
    'main.mjs': `import { encode, decode } from '@siteauth/core/jwt'
      const key = { secret: 'x'.repeat(32), salt: 'salt' }
      console.log(await decode({ ...key, token: await encode({ ...key, token: { sub: 'Ann' } }) }))`,
  })
  expect(await project.run('node main.mjs')).toContain("sub: 'Ann'")
})

it('finds nothing that its reader was not told to install', async () => {
  const project = createProject()
  onTestFinished(() => project.remove())
  project.install(['@siteauth/core'])
  project.write({ 'main.mjs': `await import('@siteauth/express')` })
  const missing = "Cannot find package '@siteauth/express'"
  await expect(project.run('node main.mjs')).rejects.toThrow(missing)
})

it.each(['docs/start/next.md', 'docs/start/express.md'])('reads %s', page => {
  const { files, commands } = readStartPage(page)
  expect(Object.keys(files)).toContainEqual(expect.stringMatching(/\.ts$/))
  expect(installedBy({ commands })).toContain('@siteauth/core')
})
