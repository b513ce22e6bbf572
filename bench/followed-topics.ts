import { poolTopics } from '../src/domain/ingest/recognise.ts'
import { answerUpdatedTopic, multiplierUpdatedTopic } from '../src/domain/stock/stock-events.ts'

/** As the indexer asks: everything that may concern it, whoever emitted it. */
export const followedTopics = [...poolTopics, answerUpdatedTopic, multiplierUpdatedTopic]
