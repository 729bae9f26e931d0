import { contender } from '../../../../contender.js'

export const GET = request => contender.handlers.GET(request)
export const POST = request => contender.handlers.POST(request)
