import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createProject, SECRET } from './command-line.ts'

const NEXT = { 'package.json': '{"dependencies":{"next":"16"}}' }

describe('siteauth secret', () => {
  it('writes 256 random bits to .env.local of a Next application, for its owner alone', async () => {
    const project = createProject(NEXT)
    const { code, output, told } = await project.run('secret')
    const { AUTH_SECRET: secret = '' } = parseEnv(project.read('.env.local'))
    expect(code).toBe(0)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(output + told).not.toContain(secret)
    expect(statSync(join(project.folder, '.env.local')).mode & 0o077).toBe(0)
  })

  it('writes to .env where there is no Next', async () => {
    const project = createProject({ '.env': 'PORT=3000' })
    await project.run('secret')
    expect(project.read('.env')).toMatch(/^PORT=3000\nAUTH_SECRET=[\w-]{43}\n$/)
  })

  it('fills in a variable that is there and empty', async () => {
    const project = createProject({ '.env': 'AUTH_SECRET=\nPORT=3000\n' })
    await project.run('secret')
    expect(project.read('.env')).toMatch(/^AUTH_SECRET=[\w-]{43}\nPORT=3000\n$/)
  })

  it('does not replace a secret, which would sign everybody out', async () => {
    const project = createProject({ '.env': `AUTH_SECRET=${SECRET}\n` })
    const { code, told } = await project.run('secret')
    expect(code).toBe(1)
    expect(told).toContain('--rotate')
    expect(project.read('.env')).toBe(`AUTH_SECRET=${SECRET}\n`)
  })

  it('prints one with --raw, and writes nothing', async () => {
    const project = createProject({ '.env': '' })
    const { output } = await project.run('secret', '--raw')
    expect(output).toMatch(/^[\w-]{43}\n$/)
    expect(project.read('.env')).toBe('')
  })

  it('says so where Git would commit the file', async () => {
    const project = createProject(NEXT)
    execFileSync('git', ['init', '--quiet'], { cwd: project.folder })
    expect((await project.run('secret')).told).toContain('.gitignore')
  })

  describe('--rotate', () => {
    const rotate = async (text: string) => {
      const project = createProject({ '.env': text })
      const { code, told } = await project.run('secret', '--rotate')
      return { code, told, env: parseEnv(project.read('.env')) }
    }

    it('puts a new one in front, and keeps the old one', async () => {
      const { code, env } = await rotate(`AUTH_SECRET=${SECRET}\n`)
      expect(code).toBe(0)
      expect(env).toEqual({ AUTH_SECRET: SECRET, AUTH_SECRET_1: expect.stringMatching(/^.{43}$/) })
    })

    it('drops the oldest of four, and says so', async () => {
      const text = 'AUTH_SECRET=a\nAUTH_SECRET_1=b\nAUTH_SECRET_2=c\nAUTH_SECRET_3=d\n'
      const { told, env } = await rotate(text)
      expect(env).toMatchObject({ AUTH_SECRET: 'b', AUTH_SECRET_1: 'c', AUTH_SECRET_2: 'd' })
      expect(env['AUTH_SECRET_3']).toHaveLength(43)
      expect(told).toContain('the oldest is gone')
    })

    it('keeps a NEXTAUTH_SECRET, which would no longer be read', async () => {
      const { env } = await rotate(`NEXTAUTH_SECRET='${SECRET}'\n`)
      expect(env['AUTH_SECRET']).toBe(SECRET)
      expect(env['AUTH_SECRET_1']).toHaveLength(43)
    })

    it('keeps a secret with letters that mean something in such a file', async () => {
      const { env } = await rotate(`NEXTAUTH_SECRET='a#b$c d"e'\n`)
      expect(env['AUTH_SECRET']).toBe('a#b$c d"e')
    })
  })
})
