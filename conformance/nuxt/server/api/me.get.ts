export default defineEventHandler(async event => Response.json(await auth.getSession(event)))
