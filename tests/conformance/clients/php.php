<?php
function must(bool $is, string $what): void {
    if (!$is) {
        fwrite(STDERR, "$what\n");
        exit(1);
    }
}

$one = new Redis();
$other = new Redis();
$one->connect("127.0.0.1", (int)$argv[1]);
$other->connect("127.0.0.1", (int)$argv[2]);
must($one->set("php", "1") && $other->get("php") === "1", "set");
must($other->incrBy("php", 41) === 42, "incrBy");
must($one->set("php", "x", ["nx"]) === false, "nx");
must($one->set("php:e", "v", ["px" => 60000]) && $other->pttl("php:e") > 50000, "expiry");
must($one->mGet(["php", "php:none"]) === ["42", false], "mGet");
$cursor = null;
$found = [];
do {
    $found = array_merge($found, $other->scan($cursor, "php*") ?: []);
} while ($cursor > 0);
sort($found);
must($found === ["php", "php:e"], "scan");
$one->watch("{php}a");
must($one->multi()->set("{php}a", "1")->incr("{php}a")->exec() === [true, 2], "multi");
$pipe = $one->multi(Redis::PIPELINE);
for ($i = 0; $i < 100; $i++) {
    $pipe->set("php$i", (string)$i)->get("php$i");
}
must($pipe->exec()[199] === "99", "pipeline");
