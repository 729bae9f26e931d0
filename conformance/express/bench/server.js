import express from 'express'

const { addRoutes } = await import(`./${process.env.CONTENDER}.js`)
const app = express()
addRoutes(app)
app.listen(Number(process.env.PORT), process.env.HOST)
