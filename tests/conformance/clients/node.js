const assert = require("assert");
const { createClient } = require("redis");

(async () => {
  const one = createClient({ socket: { port: Number(process.argv[2]) } });
  const other = createClient({ socket: { port: Number(process.argv[3]) } });
  await one.connect();
  await other.connect();
  assert.strictEqual(await one.set("js", "1"), "OK");
  assert.strictEqual(await other.get("js"), "1");
  assert.strictEqual(await other.incrBy("js", 41), 42);
  assert.strictEqual(await one.set("js", "x", { NX: true }), null);
  assert.strictEqual(await one.set("js:e", "v", { PX: 60000 }), "OK");
  assert((await other.pTTL("js:e")) > 50000);
  assert.deepStrictEqual(await one.mGet(["js", "js:none"]), ["42", null]);
  const found = [];
  for await (const key of other.scanIterator({ MATCH: "js*" })) {
    found.push(key);
  }
  assert.deepStrictEqual(found.sort(), ["js", "js:e"]);
  await one.watch("{js}a");
  assert.deepStrictEqual(await one.multi().set("{js}a", "1").incr("{js}a").exec(), ["OK", 2]);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => one.set(`js${i}`, `${i}`).then(() => one.get(`js${i}`)))
  );
  assert.strictEqual(answers[99], "99");
  await one.quit();
  await other.quit();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
