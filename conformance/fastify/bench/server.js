import Fastify from 'fastify'

const { addRoutes } = await import(`./${process.env.CONTENDER}.js`)
const app = Fastify()
await addRoutes(app)
await app.listen({ host: process.env.HOST, port: Number(process.env.PORT) })
