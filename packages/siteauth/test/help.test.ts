import { describe, expect, it } from 'vitest'
import { createProject } from './command-line.ts'

const COMMANDS = [
  'init',
  'add',
  'secret',
  'doctor',
  'migrate',
  'schema',
  'token',
  'from-authjs',
  'upgrade',
]

describe('siteauth', () => {
  it('lists its commands and exit codes', async () => {
    const { code, output } = await createProject().run('--help')
    expect(code).toBe(0)
    for (const command of COMMANDS) expect(output).toContain(`\n  ${command}`)
    expect(output).toContain('Exit codes:')
  })

  it.each(COMMANDS)('has examples of %s', async command => {
    const { code, output } = await createProject().run(command, '--help')
    expect(code).toBe(0)
    expect(output).toMatch(/Examples:\n {2}\$ /)
  })

  it.each([[['nonsense']], [['secret', '--nonsense']], [['migrate', 'nonsense']]])(
    'exits with 2 if it is called wrongly: %j',
    async args => {
      expect((await createProject().run(...args)).code).toBe(2)
    },
  )

  it('works on another folder with --cwd', async () => {
    const project = createProject()
    const elsewhere = createProject()
    await elsewhere.run('--cwd', project.folder, 'secret')
    expect(project.read('.env')).toContain('AUTH_SECRET=')
  })

  it('uses colours only where it is told that somebody sees them', async () => {
    const project = createProject({ 'package.json': '{}' })
    const plain = await project.run('doctor', '--offline')
    const colourful = await project.runIn({ colours: true }, 'doctor', '--offline')
    expect(plain.output).not.toContain('\u001b[')
    expect(colourful.output).toContain('\u001b[')
  })
})
