import { type ActionAPIContext, ActionError, defineAction } from 'astro:actions'
import { CredentialsSignin } from '@siteauth/astro'
import { z } from 'astro/zod'
import { auth } from '../auth'
import { probe } from '../probe'

export const server = {
  enter: defineAction({
    accept: 'form',
    input: z.object({ name: z.string(), password: z.string() }),
    handler: async (input, context) => {
      try {
        await auth.signIn(context, 'credentials', input)
        return (await auth.getSession(context))?.user?.name
      } catch (error) {
        if (!(error instanceof CredentialsSignin)) throw error
        throw new ActionError({ code: 'UNAUTHORIZED', message: 'Who are you?' })
      }
    },
  }),
  secret: defineAction({
    handler: async (_input, context) => {
      const session = await auth.getSession(context)
      if (!session) throw new ActionError({ code: 'UNAUTHORIZED' })
      return `the secret of ${session.user?.name}`
    },
  }),
  called: defineAction({ handler: (_input, context) => ran(context) }),
  sent: defineAction({ accept: 'form', handler: (_input, context) => ran(context) }),
}

async function ran(context: ActionAPIContext): Promise<string> {
  if (!probe.isInFront) {
    const session = await auth.requireSession(context)
    if (session instanceof Response) throw new ActionError({ code: 'UNAUTHORIZED' })
  }
  return probe.ran()
}
