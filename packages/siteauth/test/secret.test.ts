import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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

  it.each([
    ['.env', 'AUTH_SECRET'],
    ['.env.production', 'AUTH_SECRET_1'],
    ['.env', 'NEXTAUTH_SECRET'],
  ])('makes none that would hide the one in %s, as %s', async (file, name) => {
    const project = createProject({ ...NEXT, [file]: `${name}=${SECRET}\n` })
    const { code, told } = await project.run('secret')
    expect(code).toBe(1)
    expect(told).toContain(`${file} has a secret already`)
    expect(existsSync(join(project.folder, '.env.local'))).toBe(false)
  })

  it.each([
    ['a comment behind it', 'AUTH_SECRET= # make one\n', /^AUTH_SECRET= \S{43} # make one\n$/],
    ['export', 'export AUTH_SECRET=""\nA=1\n', /^export AUTH_SECRET=\S{43}\nA=1\n$/],
    ['the line ends of Windows', 'A=1\r\nB=2', /^A=1\r\nB=2\r\nAUTH_SECRET=\S{43}\r\n$/],
    [
      'a value of several lines that looks like it',
      'KEY="a\nAUTH_SECRET=\nb"\n',
      /^KEY="a\nAUTH_SECRET=\nb"\nAUTH_SECRET=\S{43}\n$/,
    ],
    [
      'an earlier line that does not count',
      'AUTH_SECRET=old\nAUTH_SECRET=\n',
      /^AUTH_SECRET=old\nAUTH_SECRET=\S{43}\n$/,
    ],
  ])('leaves alone %s', async (_, text, expected) => {
    const project = createProject({ '.env': text })
    await project.run('secret')
    expect(project.read('.env')).toMatch(expected)
  })

  it('finds a secret behind a byte order mark', async () => {
    const text = `\uFEFFAUTH_SECRET=${SECRET}\n`
    const project = createProject({ '.env': text })
    expect((await project.run('secret')).code).toBe(1)
    expect(project.read('.env')).toBe(text)
  })

  describe('a placeholder', () => {
    const PRINTED = 'at-least-32-random-characters-of-your-own'

    it.each([
      PRINTED,
      `"${PRINTED}"`,
      'changeme-changeme-changeme-changeme',
      'your-secret-here',
      '"<replace this with a random string>"',
    ])('such as %s is replaced, with or without --rotate', async value => {
      for (const words of [['secret'], ['secret', '--rotate']]) {
        const project = createProject({ '.env': `A=1\nAUTH_SECRET=${value}\nB=2\n` })
        const { code, told } = await project.run(...words)
        expect(code).toBe(0)
        expect(told).toContain('placeholder')
        expect(project.read('.env')).toMatch(/^A=1\nAUTH_SECRET=\S{43}\nB=2\n$/)
      }
    })

    it('is removed beside a secret, which stays', async () => {
      const text = `AUTH_SECRET=${SECRET}\nexport AUTH_SECRET_1='${PRINTED}' # new\nB=2\n`
      const project = createProject({ '.env': text })
      expect((await project.run('secret')).code).toBe(0)
      expect(project.read('.env')).toBe(`AUTH_SECRET=${SECRET}\nB=2\n`)
    })

    it('is not among the secrets that --rotate keeps', async () => {
      const text = `AUTH_SECRET=${PRINTED}\nAUTH_SECRET_1=${SECRET}\n`
      const project = createProject({ '.env': text })
      await project.run('secret', '--rotate')
      const { AUTH_SECRET, AUTH_SECRET_1 } = parseEnv(project.read('.env'))
      expect(AUTH_SECRET).toBe(SECRET)
      expect(AUTH_SECRET_1).toHaveLength(43)
      expect(project.read('.env')).not.toContain(PRINTED)
    })

    it('is replaced in every file of the project', async () => {
      const files = {
        '.env': `AUTH_SECRET=${PRINTED}\n`,
        '.env.production': `NEXTAUTH_SECRET=${PRINTED}\n`,
      }
      const project = createProject(files)
      await project.run('secret')
      for (const name of Object.keys(files)) {
        expect(project.read(name)).toMatch(/^AUTH_SECRET=\S{43}\n$/)
      }
    })

    it.each(['old-secret-q7R2mZx9', 'secret-93847561029384756102938475', 'Tr0ub4dor&3'])(
      'is not what %s is',
      async value => {
        const project = createProject({ '.env': `AUTH_SECRET=${value}\n` })
        expect((await project.run('secret')).code).toBe(1)
        expect(project.read('.env')).toBe(`AUTH_SECRET=${value}\n`)
      },
    )
  })

  it('writes through a link, and leaves it a link', async () => {
    const project = createProject({ 'shared/variables': 'A=1\n' })
    symlinkSync('shared/variables', join(project.folder, '.env'))
    await project.run('secret')
    expect(lstatSync(join(project.folder, '.env')).isSymbolicLink()).toBe(true)
    expect(project.read('shared/variables')).toMatch(/^A=1\nAUTH_SECRET=/)
  })

  it('does not touch what it cannot read or may not write', async () => {
    const project = createProject()
    const path = join(project.folder, '.env')
    const utf16 = Buffer.from('\uFEFFA=1\r\n', 'utf16le')
    writeFileSync(path, utf16)
    expect((await project.run('secret')).told).toContain('is not UTF-8. Save it as UTF-8 first.')
    expect(readFileSync(path)).toEqual(utf16)
    writeFileSync(path, 'A=1\n')
    chmodSync(path, 0o400)
    expect((await project.run('secret')).told).toContain('is read-only')
    expect(project.read('.env')).toBe('A=1\n')
    expect(readdirSync(project.folder)).toEqual(['.env'])
  })

  it('takes a file by its whole path', async () => {
    const project = createProject()
    await project.run('secret', '--file', join(project.folder, 'my.env'))
    expect(readdirSync(project.folder)).toEqual(['my.env'])
  })

  it('makes no folder that was mistyped', async () => {
    const project = createProject()
    const { code, told } = await project.run('--cwd', 'ap', 'secret')
    expect(code).toBe(1)
    expect(told).toMatch(/There is no folder .*ap\./)
    expect(readdirSync(project.folder)).toEqual([])
  })

  it('says how to get a file out of Git', async () => {
    const project = createProject({ '.env': 'A=1\n', '.gitignore': '.env\n' })
    for (const args of [
      ['init', '--quiet'],
      ['add', '--force', '.env'],
    ]) {
      execFileSync('git', args, { cwd: project.folder })
    }
    expect((await project.run('secret')).told).toContain('git rm --cached .env')
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

    it('changes nothing else in the file', async () => {
      const text = `# ours\nexport AUTH_SECRET="${SECRET}" # first\r\n`
      const project = createProject({ '.env': text })
      await project.run('secret', '--rotate')
      expect(project.read('.env')).toMatch(/^# ours\nexport AUTH_SECRET="\S+" # first\r\n/)
      expect(project.read('.env').slice(text.length)).toMatch(/^AUTH_SECRET_1=\S{43}\r\n$/)
    })

    it('rotates where the secret is', async () => {
      const project = createProject({ ...NEXT, '.env': `AUTH_SECRET=${SECRET}\n` })
      await project.run('secret', '--rotate')
      expect(project.read('.env')).toMatch(/^AUTH_SECRET_1=/m)
    })

    it('moves secrets with their quotes', async () => {
      const text = `AUTH_SECRET=a\nAUTH_SECRET_1="it's"\nAUTH_SECRET_2=\`"c\`\nAUTH_SECRET_3='d'\n`
      const { env } = await rotate(text)
      expect(env).toMatchObject({ AUTH_SECRET: "it's", AUTH_SECRET_1: '"c', AUTH_SECRET_2: 'd' })
    })

    it('keeps a secret with letters that mean something in such a file', async () => {
      const { env } = await rotate(`NEXTAUTH_SECRET='a#b$c d"e'\n`)
      expect(env['AUTH_SECRET']).toBe('a#b$c d"e')
    })
  })
})
