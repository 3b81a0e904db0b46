#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int is, const char *what) {
    if (!is) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static redisReply *ask(redisContext *context, const char *command) {
    redisReply *reply = redisCommand(context, command);
    must(reply != NULL, context->errstr);
    return reply;
}

int main(int count, char **arguments) {
    must(count == 3, "two ports");
    redisContext *one = redisConnect("127.0.0.1", atoi(arguments[1]));
    redisContext *other = redisConnect("127.0.0.1", atoi(arguments[2]));
    must(one && !one->err && other && !other->err, "connect");
    must(strcmp(ask(one, "SET c 1")->str, "OK") == 0, "set");
    must(strcmp(ask(other, "GET c")->str, "1") == 0, "get");
    must(ask(other, "INCRBY c 41")->integer == 42, "incrby");
    must(ask(one, "SET c x NX")->type == REDIS_REPLY_NIL, "nx");
    redisReply *both = ask(one, "MGET c c:none");
    must(both->elements == 2 && both->element[1]->type == REDIS_REPLY_NIL, "mget");
    ask(one, "MULTI");
    ask(one, "SET {c}a 1");
    ask(one, "INCR {c}a");
    redisReply *done = ask(one, "EXEC");
    must(done->elements == 2 && done->element[1]->integer == 2, "multi");
    for (int i = 0; i < 1000; i++) {
        redisAppendCommand(one, "SET c%d %d", i, i);
        redisAppendCommand(one, "GET c%d", i);
    }
    for (int i = 0; i < 2000; i++) {
        redisReply *reply;
        must(redisGetReply(one, (void **)&reply) == REDIS_OK, "pipeline");
        must(i % 2 == 0 || atoi(reply->str) == i / 2, "pipeline's answer");
        freeReplyObject(reply);
    }
    return 0;
}
